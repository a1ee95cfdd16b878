import { bodies, ledger, one, record } from "./ledger-cases.ts";
import type { RouteTable } from "./route-case.ts";

/** Changes of some properties, and of a record by a unique value. */
export const partialWriteCases: RouteTable = {
  "resources.patch": {
    before: record,
    good: [
      {
        name: "changes one property",
        params: one,
        body: { data: { amount: 7 }, version: 1 },
        answers: { id: "{id}", version: 2, data: { title: "a title", amount: 7 } },
      },
      {
        name: "takes the current version where none is given",
        params: one,
        body: { data: { title: "another" } },
        answers: { version: 2, data: { title: "another", amount: 5 } },
      },
    ],
    bad: [
      ...bodies(
        ["no data", {}, "#/data"],
        ["a version as text", { data: {}, version: "1" }, "#/version"],
        [
          "each fault of the data",
          { data: { reference: null, amount: "much", nope: 1, none: null } },
          "#/data/reference",
          "#/data/amount",
          "#/data/nope",
          "#/data/none",
        ],
        ["a file", { data: { attachment: { filename: "x" } } }, "#/data/attachment"],
      ),
      {
        name: "a version that is not current",
        body: { data: { amount: 7 }, version: 2 },
        status: 409,
        code: "version-conflict",
        pointers: [],
      },
      {
        name: "another version in If-Match",
        headers: { "if-match": '"2"' },
        status: 412,
        code: "precondition-failed",
        pointers: [],
      },
    ],
  },
  "resources.upsert": {
    before: record,
    foreign: { property: null, value: null },
    good: [
      {
        name: "changes the record",
        params: { ...ledger, property: "reference", value: "{reference}" },
        body: { data: { amount: 7 } },
        answers: { id: "{id}", version: 2, data: { title: "a title", amount: 7 } },
      },
      {
        name: "replaces its data",
        params: { ...ledger, property: "reference", value: "{reference}" },
        body: { data: { reference: "{reference}", amount: 7 }, replace: true },
        answers: { id: "{id}", version: 2, data: { amount: 7 } },
      },
      {
        name: "creates a record",
        params: { ...ledger, property: "reference", value: "{fresh}" },
        body: { data: { amount: 7 } },
        status: 201,
        answers: { version: 1, data: { reference: "{fresh}", amount: 7, status: "open" } },
      },
    ],
    bad: [
      ...bodies(
        ["no data", {}, "#/data"],
        ["another value", { data: { reference: "{fresh}" } }, "#/data/reference"],
        ["no value", { data: { reference: null } }, "#/data/reference"],
        ["each fault", { data: { amount: -1, nope: 1 } }, "#/data/amount", "#/data/nope"],
      ),
      {
        name: "a property that is not unique",
        params: { property: "title" },
        pointers: ["#/path/property"],
      },
      {
        name: "a property that does not exist",
        params: { property: "constructor" },
        pointers: ["#/path/property"],
      },
    ],
  },
  "resources.batch": {
    before: record,
    good: [
      {
        name: "writes items of each kind in their order",
        params: ledger,
        body: {
          items: [
            { op: "patch", id: "{id}", data: { amount: 7 }, version: 1 },
            { op: "upsert", property: "reference", value: "{fresh}", data: { amount: 8 } },
            { op: "create", data: { reference: "{fresh}" } },
            { op: "delete", id: "{foreignId}" },
          ],
        },
        status: 207,
        answers: {
          succeeded: 2,
          failed: 2,
          results: [
            { index: 0, id: "{id}", status: 200, version: 2 },
            { index: 1, status: 201, version: 1 },
            { index: 2, status: 409, error: { code: "already-exists" } },
            { index: 3, id: "{foreignId}", status: 404, error: { code: "not-found" } },
          ],
        },
      },
      {
        name: "writes all items of an atomic batch",
        params: ledger,
        body: {
          atomic: true,
          items: [{ op: "update", id: "{id}", data: { reference: "{reference}" }, version: 1 }],
        },
        answers: { succeeded: 1, results: [{ status: 200, version: 2 }] },
      },
    ],
    bad: bodies(
      ["no items", { items: [] }, "#/items"],
      ["a list", [], "#"],
      ["an unknown operation", { items: [{ op: "merge" }] }, "#/items/0/op"],
      [
        "an update without a version",
        { items: [{ op: "update", id: "{id}", data: {} }] },
        "#/items/0/version",
      ],
      [
        "an atomic batch with faults",
        {
          atomic: true,
          items: [
            { op: "create", data: { amount: -1 } },
            { op: "upsert", property: "title", value: "x", data: {} },
            { op: "patch", id: "{id}", data: { nope: 1 } },
          ],
        },
        "#/items/0/data/reference",
        "#/items/0/data/amount",
        "#/items/1/property",
        "#/items/2/data/nope",
      ],
    ),
  },
};
