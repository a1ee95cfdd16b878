import { bodies, ledger, record } from "./ledger-cases.ts";
import type { RouteTable } from "./route-case.ts";

/** Spec 4.2: many records at a time, and records of several types. */
export const manyRecordCases: RouteTable = {
  "resources.batchCreate": {
    before: record,
    good: [
      {
        name: "takes a list",
        params: ledger,
        body: [{ reference: "{fresh}" }, { data: { reference: "{other}" } }],
        answers: {
          succeeded: 2,
          failed: 0,
          results: [
            { index: 0, status: 201, version: 1 },
            { index: 1, status: 201, version: 1 },
          ],
        },
      },
      {
        name: "takes one object",
        params: ledger,
        body: { reference: "{fresh}" },
        answers: { succeeded: 1 },
      },
      {
        name: "answers for each item",
        params: ledger,
        body: { items: [{ reference: "{fresh}" }, { amount: 1 }] },
        status: 207,
        answers: {
          succeeded: 1,
          failed: 1,
          results: [{ status: 201 }, { status: 422, error: { code: "validation-failed" } }],
        },
      },
    ],
    bad: [
      ...bodies(
        ["no items", { items: [] }, "#/items"],
        ["more than 1,000 items", Array.from({ length: 1_001 }, () => ({})), "#"],
        [
          "an atomic batch with faults",
          { atomic: true, items: [{ reference: "{fresh}" }, { reference: 1 }, { amount: -1 }] },
          "#/items/1/reference",
          "#/items/2/reference",
          "#/items/2/amount",
        ],
      ),
    ],
  },
  "resources.batchUpdate": {
    before: record,
    good: [
      {
        name: "replaces",
        params: ledger,
        body: { items: [{ id: "{id}", data: { reference: "{reference}" }, version: 1 }] },
        answers: { succeeded: 1, results: [{ id: "{id}", status: 200, version: 2 }] },
      },
      {
        name: "finds nothing of another workspace",
        params: ledger,
        body: [{ id: "{foreignId}", data: { reference: "{fresh}" }, version: 1 }],
        status: 207,
        answers: { failed: 1, results: [{ status: 404, error: { code: "not-found" } }] },
      },
    ],
    bad: bodies(
      ["no items", [], "#"],
      ["items without version and data", [{ id: "{id}" }], "#/0/data", "#/0/version"],
      ["an id that is none", [{ id: "x", data: {}, version: 1 }], "#/0/id"],
    ),
  },
  "resources.batchDelete": {
    before: record,
    good: [
      {
        name: "deletes",
        params: ledger,
        body: { ids: ["{id}"] },
        answers: { succeeded: 1, results: [{ id: "{id}", status: 204 }] },
      },
      {
        name: "finds nothing of another workspace",
        params: ledger,
        body: ["{foreignId}"],
        status: 207,
        answers: { failed: 1, results: [{ status: 404, error: { code: "not-found" } }] },
      },
    ],
    bad: bodies(
      ["no ids", { ids: [] }, "#/ids"],
      ["an id that is none", { ids: ["x"] }, "#/ids/0"],
    ),
  },
  "resources.query": {
    before: record,
    good: [
      {
        name: "finds",
        body: { types: ["ledger"], where: { reference: "{reference}" }, limit: 2, sort: "id" },
        answers: { items: [{ id: "{id}", type: "ledger" }], limit: 2, hasNextPage: false },
      },
    ],
    bad: bodies(
      ["no types", { types: [] }, "#/types"],
      ["a type that is not there", { types: ["ledger", "nope"] }, "#/types/1"],
      ["an order of nothing", { types: ["ledger"], sort: "nope" }, "#/sort"],
      ["an unknown operator", { types: ["ledger"], where: { id: { $x: 1 } } }, "#/where/id/$x"],
      ["an unknown property", { types: ["ledger"], where: { nope: 1 } }, "#/where/nope"],
      ["a limit of 501", { types: ["ledger"], limit: 501 }, "#/limit"],
    ),
  },
  "resources.distinct": {
    before: record,
    good: [
      {
        name: "counts the records of each value",
        params: ledger,
        body: { property: "status", where: { reference: "{reference}" } },
        answers: { items: [{ value: "open", count: 1 }], hasNextPage: false },
      },
    ],
    bad: bodies(
      ["no property", {}, "#/property"],
      ["a property that does not exist", { property: "nope" }, "#/property"],
      ["an order that is none", { property: "status", order: "size" }, "#/order"],
      ["a filter that is none", { property: "status", where: { $or: 1 } }, "#/where/$or"],
    ),
  },
  "resources.aggregate": {
    before: record,
    good: [
      {
        name: "gives figures",
        params: ledger,
        body: {
          groupBy: ["status"],
          metrics: { n: { op: "count" }, sum: { op: "sum", field: "amount" } },
          where: { reference: "{reference}" },
        },
        answers: { rows: [{ group: { status: "open" }, metrics: { n: 1, sum: 5 } }] },
      },
    ],
    bad: bodies(
      ["no metrics", { groupBy: [], metrics: {} }, "#/metrics"],
      ["a group of nothing", { groupBy: ["nope"], metrics: { n: { op: "count" } } }, "#/groupBy/0"],
      ["a sum of texts", { metrics: { n: { op: "sum", field: "title" } } }, "#/metrics/n/field"],
      ["a limit of 0", { metrics: { n: { op: "count" } }, limit: 0 }, "#/limit"],
    ),
  },
};
