import { expect, test } from "vitest";
import { findPattern, PatternBudget } from "#server/text/analysis/configured/find-pattern.ts";

function found(text: string, source: string, after?: string, steps = 1_000_000) {
  const span = findPattern(text, source, { after, budget: new PatternBudget(steps) });
  return span === undefined ? undefined : text.slice(span.start, span.end);
}

test.each([
  ["No 12\nRef PA-2026-001 and PA-2025-7", "PA-\\d{4}-\\d+", undefined, "PA-2026-001"],
  ["Ref PA-2026-001 and PA-2025-7", "PA-\\d{4}-\\d+", "AND", "PA-2025-7"],
  ["one two", "t|two", undefined, "two"],
  ["code x12", "^x\\d+", undefined, undefined],
  ["x12\ny", "^x\\d+$", undefined, "x12"],
  ["ab1 1b", "\\b1\\w", undefined, "1b"],
  ["nothing here", "\\d", undefined, undefined],
  ["ref 5", "\\d", "total", undefined],
])("in %j, %s after %s is %s", (text, source, after, match) => {
  expect(found(text, source, after)).toBe(match);
});

test("long lines are not searched, and a used-up budget ends the search for good", () => {
  expect(found(`${"x".repeat(500)}7`, "\\d")).toBe(undefined);
  expect(found("a 7", "\\d", undefined, 1)).toBe(undefined);
  const budget = new PatternBudget(10);
  expect([budget.take({ size: 2 } as never, 3), budget.take({ size: 2 } as never, 3)]).toEqual([
    true,
    false,
  ]);
  expect(budget.take({ size: 0 } as never, 0)).toBe(false);
});
