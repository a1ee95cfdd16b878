import { unknownId } from "../records/routes/ledger.ts";
import { bodies, ledger, one, record } from "./ledger-cases.ts";
import { manyRecordCases } from "./many-records.ts";
import { importCases } from "./imports.ts";
import { partialWriteCases } from "./partial-writes.ts";
import { searchCases } from "./resource-search.ts";
import type { BadCase, RouteTable } from "./route-case.ts";

const filter = encodeURIComponent('{"reference":"') + "{reference}" + encodeURIComponent('"}');

function queries(...cases: readonly [string, string, ...string[]][]): BadCase[] {
  return cases.map(([name, query, ...pointers]) => ({ name, query, pointers }));
}

/** Spec 4.2: one type's records, one by one. */
const recordCases: RouteTable = {
  "resources.list": {
    before: record,
    good: [
      { name: "lists", params: ledger, answers: { page: 1, limit: 20 } },
      {
        name: "filters, sorts, pages and counts",
        params: ledger,
        query: `?where=${filter}&sort=-amount,title&page=1&limit=1&count=true`,
        answers: { items: [{ id: "{id}" }], limit: 1, total: 1, nextCursor: null },
      },
    ],
    bad: queries(
      ["a page below 1", "?page=0", "#/query/page"],
      ["a limit of 501", "?limit=501", "#/query/limit"],
      ["an unknown name", "?offset=3", "#/query/offset"],
      ["an order of nothing", "?sort=nope", "#/query/sort"],
      ["a made-up cursor", "?cursor=a.b", "#/query/cursor"],
      ["a count of a word", "?count=maybe", "#/query/count"],
      ["a where that is no JSON", "?where=%7B", "#/query/where"],
      [
        "an unknown operator",
        `?where=${encodeURIComponent('{"status":{"$like":"o"}}')}`,
        "#/query/where/status/$like",
      ],
      ["an unknown property", `?where=${encodeURIComponent('{"nope":1}')}`, "#/query/where/nope"],
    ),
  },
  "resources.get": {
    before: record,
    good: [
      {
        name: "reads",
        params: one,
        answers: { id: "{id}", type: "ledger", version: 1, data: { title: "a title", amount: 5 } },
      },
      {
        name: "reads a version",
        params: one,
        query: "?version=1",
        answers: { version: 1, data: { reference: "{reference}" } },
      },
    ],
    bad: queries(
      ["a version below 1", "?version=0", "#/query/version"],
      ["a version as text", "?version=first", "#/query/version"],
      ["an unknown name", "?at=now", "#/query/at"],
    ),
  },
  "resources.create": {
    before: record,
    good: [
      {
        name: "makes",
        params: ledger,
        body: { reference: "{fresh}" },
        status: 201,
        answers: { version: 1, data: { reference: "{fresh}", status: "open" } },
      },
      {
        name: "takes { data }",
        params: ledger,
        body: { data: { reference: "{fresh}" } },
        status: 201,
        answers: { version: 1, data: { reference: "{fresh}" } },
      },
    ],
    bad: [
      ...bodies(
        ["what is required and missing", {}, "#/reference"],
        [
          "each fault",
          { reference: 5, amount: -1, nope: true },
          "#/reference",
          "#/amount",
          "#/nope",
        ],
        ["a reference to no record", { reference: "{fresh}", parent: unknownId }, "#/parent"],
        [
          "a reference to another workspace's",
          { reference: "{fresh}", parent: "{foreignId}" },
          "#/parent",
        ],
        ["a body that is a list", [], "#"],
      ),
      {
        name: "a value that is taken",
        body: { reference: "{reference}" },
        status: 409,
        code: "already-exists",
        pointers: ["#/reference"],
      },
    ],
  },
  "resources.update": {
    before: record,
    good: [
      {
        name: "replaces",
        params: one,
        body: { data: { reference: "{reference}", amount: 7 }, version: 1 },
        answers: { id: "{id}", version: 2, data: { reference: "{reference}", amount: 7 } },
      },
    ],
    bad: [
      ...bodies(
        ["neither data nor version", {}, "#/data", "#/version"],
        ["a version as text", { data: { reference: "{reference}" }, version: "1" }, "#/version"],
        [
          "each fault of the data",
          { data: { amount: "much", nope: 1 }, version: 1 },
          "#/data/reference",
          "#/data/amount",
          "#/data/nope",
        ],
      ),
      {
        name: "a version that is not current",
        body: { data: { reference: "{reference}" }, version: 2 },
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
  "resources.delete": {
    before: record,
    good: [{ name: "deletes", params: one, status: 204 }],
    bad: [
      {
        name: "an erasure by a caller that is no tenant-admin",
        query: "?permanent=true",
        status: 403,
        code: "permission-denied",
        pointers: [],
      },
      {
        name: "another version in If-Match",
        headers: { "if-match": '"2"' },
        status: 412,
        code: "precondition-failed",
        pointers: [],
      },
      ...queries(["an unknown name", "?force=true", "#/query/force"]),
    ],
  },
  "resources.deletion": {
    before: record,
    good: [
      {
        name: "shows what a deletion would do",
        params: one,
        answers: { allowed: true, deletes: { total: 1, records: [{ id: "{id}" }] } },
      },
    ],
    bad: queries(["an unknown name", "?force=true", "#/query/force"]),
  },
  "resources.deleted": {
    good: [{ name: "lists deleted records", params: ledger, query: "?limit=5", answers: {} }],
    bad: queries(
      ["a limit of 0", "?limit=0", "#/query/limit"],
      ["a filter", "?where={}", "#/query/where"],
    ),
  },
  "resources.restore": {
    before: record,
    good: [
      {
        name: "restores an earlier state",
        params: one,
        body: { version: 1 },
        answers: { id: "{id}", version: 2 },
      },
    ],
    bad: [
      ...bodies(
        ["a version as text", { version: "1" }, "#/version"],
        ["no version of a record that exists", {}, "#/version"],
      ),
      {
        name: "another version in If-Match",
        headers: { "if-match": '"2"' },
        body: { version: 1 },
        status: 412,
        code: "precondition-failed",
        pointers: [],
      },
    ],
  },
  "resources.history": {
    before: record,
    good: [
      {
        name: "reports what was written",
        params: one,
        query: "?limit=5&count=true",
        answers: { items: [{ version: 1, operation: "create" }], total: 1 },
      },
    ],
    bad: queries(
      ["a limit of 0", "?limit=0", "#/query/limit"],
      ["a made-up cursor", "?cursor=a.b", "#/query/cursor"],
      ["a filter", "?where={}", "#/query/where"],
    ),
  },
  "resources.executeAction": {
    before: record,
    needs: "tenant-staff",
    good: [
      {
        name: "executes",
        params: { ...one, action: "close" },
        body: { parameters: { by: "Ann" }, version: 1 },
        answers: { version: 2, data: { status: "closed", decidedBy: "Ann" } },
      },
    ],
    bad: [
      ...bodies(
        ["a parameter that is missing", {}, "#/parameters/by"],
        [
          "each fault of the parameters",
          { parameters: { by: 5, x: 1 } },
          "#/parameters/by",
          "#/parameters/x",
        ],
        ["an unknown member", { by: "Ann" }, "#/by"],
      ),
      {
        name: "a version that is not current",
        body: { parameters: { by: "Ann" }, version: 2 },
        status: 409,
        code: "version-conflict",
        pointers: [],
      },
    ],
  },
};

export const resourceCases: RouteTable = {
  ...recordCases,
  ...partialWriteCases,
  ...importCases,
  ...manyRecordCases,
  ...searchCases,
};
