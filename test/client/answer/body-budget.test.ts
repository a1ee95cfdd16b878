import { expect, test } from "vitest";
import { BodyBudget } from "#client/answer/body-budget.ts";

test("a budget ends with its time, which grows with the received bytes", () => {
  const budget = new BodyBudget({ longestWaitMs: 1_000, maximumBytes: 4_096, waitMsPerKiB: 100 });
  expect(budget.remainingMs).toBe(1_000);
  expect(budget.spend(2_048, 700)).toBe(undefined);
  expect(budget.remainingMs).toBe(500);
  expect(budget.spend(0, 5_000)).toBe(undefined);
  expect(budget.remainingMs).toBe(0);
});

test.each([
  [100, "it is larger than 100 bytes"],
  [3 * 1024 * 1024, "it is larger than 3 MiB"],
])("a body of more than %i bytes is given up", (maximumBytes, reason) => {
  const budget = new BodyBudget({ longestWaitMs: 1, maximumBytes });
  expect(budget.spend(maximumBytes, 0)).toBe(undefined);
  expect(budget.spend(1, 0)).toBe(reason);
});
