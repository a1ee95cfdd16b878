import { expect, test } from "vitest";
import { pauseMs, retryAfterMs } from "#server/domains/webhooks/retries.ts";

const hourMs = 3_600_000;

test("the nine pauses grow from 5 s to 24 h, and a tenth failed attempt is the last", () => {
  const pauses = Array.from({ length: 10 }, (_, index) => pauseMs(index + 1, { random: 0 }));
  expect(pauses).toEqual([
    5_000,
    300_000,
    1_800_000,
    ...[2, 5, 10, 14, 20, 24].map((hours) => hours * hourMs),
    undefined,
  ]);
});

test("chance makes a pause at most a tenth longer, and never shorter", () => {
  expect(pauseMs(2, { random: 1 })).toBe(330_000);
  expect(pauseMs(2, { random: 0.5 })).toBe(315_000);
});

test("an endpoint may ask for a longer pause of at most a day, not for a shorter one", () => {
  expect(pauseMs(1, { random: 0, retryAfterMs: 60_000 })).toBe(60_000);
  expect(pauseMs(2, { random: 0, retryAfterMs: 1_000 })).toBe(300_000);
  expect(pauseMs(1, { random: 0, retryAfterMs: 90 * hourMs })).toBe(24 * hourMs);
});

test.each([
  ["120", 120_000],
  ["Fri, 27 Nov 2026 08:00:30 GMT", 30_000],
  ["Fri, 27 Nov 2026 07:00:00 GMT", 0],
  ["soon", undefined],
  [undefined, undefined],
])("Retry-After %j is a pause of %j ms", (value, expected) => {
  expect(retryAfterMs(value, new Date("2026-11-27T08:00:00Z"))).toBe(expected);
});
