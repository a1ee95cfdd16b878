import { expect, test } from "vitest";
import { requireTimeLimitMs } from "#client/transport/time-limit.ts";

test.each([1, 30_000, 2 ** 31 - 1])("%i ms is a limit", (limitMs) => {
  expect(requireTimeLimitMs(limitMs)).toBe(limitMs);
});

test.each([0, -1, Number.NaN, 2 ** 31, Infinity])("%d ms is refused", (limitMs) => {
  expect(() => requireTimeLimitMs(limitMs, "waitMs")).toThrow(/waitMs must be between 1 and/);
});
