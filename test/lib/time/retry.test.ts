import { describe, expect, it } from "vitest";
import { jitteredPauseMs, parseRetryAfterMs, RetryBudget } from "#lib/time/retry.ts";

const now = Date.parse("2026-11-21T09:30:00.000Z");

describe("Retry-After", () => {
  it.each([
    ["0", 0],
    ["120", 120_000],
    [" 7 ", 7000],
    ["Sat, 21 Nov 2026 09:30:30 GMT", 30_000],
    ["Sat, 21 Nov 2026 09:00:00 GMT", 0],
    ["-1", undefined],
    ["1.5", undefined],
    ["soon", undefined],
    ["2026", 2_026_000],
    ["99999999999", undefined],
    ["2026-11-21T09:31:00Z", undefined],
    ["", undefined],
    [null, undefined],
  ])("%j is %j ms", (field, expected) => {
    expect(parseRetryAfterMs(field, now)).toBe(expected);
  });
});

describe("a pause", () => {
  it("doubles with each attempt, is at most the longest, and is any part of that", () => {
    const most = () => 1;
    expect([1, 2, 3, 4].map((attempt) => jitteredPauseMs(attempt, 100, 500, most))).toEqual([
      100, 200, 400, 500,
    ]);
    expect(jitteredPauseMs(3, 100, 500, () => 0)).toBe(0);
    expect(jitteredPauseMs(3, 100, 500, () => 0.5)).toBe(200);
  });
});

describe("the budget", () => {
  it("runs dry under failures alone, and is earned back by successes", () => {
    const budget = new RetryBudget();
    let retries = 0;
    while (budget.spend()) retries += 1;
    expect(retries).toBe(35);
    for (let success = 0; success < 13; success += 1) budget.earn(false);
    expect(budget.spend()).toBe(true);
    expect(budget.spend()).toBe(false);
    budget.earn(true);
    expect(budget.spend()).toBe(true);
  });
});
