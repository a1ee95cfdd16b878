import { expect } from "vitest";
import { apiCases, type ApiCase } from "#test/support/api-cases.ts";
import { describePlatform } from "#test/support/platform.ts";
import { makeRecord } from "./ledger.ts";

const path = "/v4/data/resources/{tenant}/ledger/aggregate";
const n = { n: { op: "count" } };

function asked(name: string, body: object, expected: ApiCase["expect"]): ApiCase {
  const before: ApiCase["before"] = (the) => makeRecord(the, { title: "aggregate", amount: 2.5 });
  return { name, as: "tenant-viewer", method: "POST", path, body, before, expect: expected };
}

function refused(name: string, body: object, ...pointers: string[]): ApiCase {
  return asked(name, body, { status: 422, code: "validation-failed", pointers });
}

describePlatform("aggregates", (the) => {
  apiCases(the, [
    asked(
      "gives the figures of each group",
      {
        groupBy: ["status", "address.city"],
        metrics: {
          ...n,
          most: { op: "max", field: "amount" },
          by: { op: "min", field: "created_by" },
        },
        where: { title: "aggregate" },
      },
      {
        status: 200,
        body: {
          rows: [
            {
              group: { status: "open", "address.city": null },
              metrics: { n: 1, most: 2.5, by: expect.stringMatching(/^[0-9a-f-]{36}$/) },
            },
          ],
          truncated: false,
        },
      },
    ),
    refused("refuses a field that is none", { groupBy: ["colour"], metrics: n }, "#/groupBy/0"),
    refused(
      "points to every field that can't be used",
      {
        groupBy: ["tags", "extra", "tags.0", "status.x", "address.street"],
        metrics: {
          a: { op: "sum", field: "title" },
          b: { op: "avg", field: "received" },
          c: { op: "min", field: "tags" },
          d: { op: "count_distinct", field: "nothing" },
          e: { op: "sum", field: "created_at" },
        },
      },
      "#/groupBy/1",
      "#/groupBy/2",
      "#/groupBy/3",
      "#/groupBy/4",
      "#/metrics/a/field",
      "#/metrics/b/field",
      "#/metrics/c/field",
      "#/metrics/d/field",
      "#/metrics/e/field",
    ),
    refused(
      "refuses an unknown operator in the filter",
      { metrics: n, where: { amount: { $near: 1 } } },
      "#/where/amount/$near",
    ),
    refused(
      "refuses a metric without a field",
      { metrics: { a: { op: "sum" } } },
      "#/metrics/a/field",
    ),
    refused(
      "refuses an unknown metric",
      { metrics: { a: { op: "median", field: "amount" } } },
      "#/metrics/a/op",
    ),
    refused("refuses no metrics", { groupBy: ["status"], metrics: {} }, "#/metrics"),
    refused(
      "refuses what is no name",
      { groupBy: ["a b"], metrics: { "1": n.n } },
      "#/groupBy/0",
      "#/metrics/1",
    ),
    refused("refuses more than 10,000 rows", { metrics: n, limit: 10_001 }, "#/limit"),
    refused("refuses a body without metrics", { groupBy: ["status"] }, "#/metrics"),
  ]);
});
