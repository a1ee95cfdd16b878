import { expect, test } from "vitest";
import { parseDuration } from "#commands/kit/input/duration.ts";

test.each([
  ["250ms", 250],
  ["90s", 90_000],
  ["15m", 900_000],
  ["1h", 3_600_000],
  ["7d", 604_800_000],
  ["0s", 0],
  ["1.5h", undefined],
  ["-1s", undefined],
  ["10", undefined],
  ["10 s", undefined],
  ["1234567890s", undefined],
])("%s is %s ms", (text, ms) => {
  expect(parseDuration(text)).toBe(ms);
});
