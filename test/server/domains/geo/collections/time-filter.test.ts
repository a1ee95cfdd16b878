import { expect, test } from "vitest";
import { timeFilter } from "#server/domains/geo/collections/time-filter.ts";

test.each([
  ["2026-01-02", "2026-01-02T23:00:00Z", true],
  ["2026-01-02", "2026-01-03", false],
  ["2026-01-02T10:00:00Z", "2026-01-02", true],
  ["../2026-01-02", "2025-12-31", true],
  ["2026-01-02/..", "2026-01-01", false],
  ["2026-01-01/2026-01-03", "2026-01-03T08:00:00+01:00", true],
  ["/2026-01-03", "2026-01-04", false],
])("the time %s takes the value %s: %s", (time, datetime, isTaken) => {
  expect(timeFilter(time)(JSON.stringify({ datetime }))).toBe(isTaken);
});

test("a feature without a readable time is taken", () => {
  expect(timeFilter("2026-01-01")('{"datetime":"soon"}')).toBe(true);
  expect(timeFilter("2026-01-01")("{}")).toBe(true);
});

test.each(["2026-02-30", "2026-13-01/..", "../2026-01-32", "2026-01-02/2026-01-01"])(
  "the time %s is refused",
  (time) => {
    expect(() => timeFilter(time)).toThrow("datetime");
  },
);
