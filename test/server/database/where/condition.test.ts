import { expect, test } from "vitest";
import { all, hasTest, type Condition } from "#server/database/where/condition.ts";

const field = (kind: "exists" | "contains"): Condition => ({
  kind: "field",
  path: ["a"],
  test: kind === "exists" ? { kind } : { kind, text: "x" },
});

test("a test is found in any depth of a condition", () => {
  const nested: Condition = {
    kind: "or",
    conditions: [field("exists"), { kind: "not", condition: field("contains") }],
  };
  expect([
    hasTest(nested, "contains"),
    hasTest(nested, "near"),
    hasTest(undefined, "near"),
  ]).toEqual([true, false, false]);
});

test("one condition stays alone", () => {
  const one = field("exists");
  expect([all([]), all([one])]).toEqual([undefined, one]);
  expect(all([one, one])).toEqual({ kind: "and", conditions: [one, one] });
});
