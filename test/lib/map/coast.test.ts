import { expect, test } from "vitest";
import { coastLines } from "#lib/map/coast.ts";

test("coast lines are on the earth", () => {
  const lines = coastLines();
  expect(lines.length).toBeGreaterThan(100);
  for (const line of lines) {
    expect(line.length).toBeGreaterThan(1);
    expect(line.every(([x, y]) => Math.abs(x) <= 180.001 && Math.abs(y) <= 90.001)).toBe(true);
  }
});
