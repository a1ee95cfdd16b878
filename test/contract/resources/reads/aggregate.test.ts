import { expect, test } from "vitest";
import { aggregation } from "#contract/resources/reads/aggregate.ts";
import { schemaFaults } from "#contract/schema-faults.ts";

const count = { op: "count" };

test("an aggregation groups by nothing unless it says so", () => {
  expect(aggregation.parse({ metrics: { all: count } })).toEqual({
    groupBy: [],
    metrics: { all: count },
  });
});

test.each([
  [{ metrics: {} }, "metrics", "must have at least 1 metric"],
  [{ metrics: { all: { op: "sum" } } }, "metrics/all/field", "is required"],
  [{ metrics: { "1a": count } }, "metrics/1a", "must be a name"],
  [{ metrics: { all: count }, groupBy: ["a b"] }, "groupBy/0", "must be a field name"],
  [{ metrics: { all: count }, groupBy: Array(9).fill("a") }, "groupBy", "at most 8 items"],
  [{ metrics: { all: count }, limit: 10_001 }, "limit", "at most 10000"],
])("%j is refused at %s", (body, path, detail) => {
  const { error } = aggregation.safeParse(body);
  const [fault] = error === undefined ? [] : schemaFaults(error);
  expect(fault?.path.join("/")).toBe(path);
  expect(fault?.detail).toContain(detail);
});
