import { expect, test } from "vitest";
import { isInside, sidesOf } from "#server/database/where/polygon.ts";

const arrow = sidesOf([
  [0, 0],
  [4, 0],
  [4, 4],
  [2, 2],
  [0, 4],
]);

test.each([
  [1, 1, true],
  [2, 1.9, true],
  [2, 3, false],
  [3.5, 3, true],
  [5, 1, false],
  [-1, 1, false],
  [1, -1, false],
])("the point %d, %d is inside: %s", (x, y, holds) => {
  expect(isInside(arrow, x, y)).toBe(holds);
});

test("horizontal sides are never crossed", () => {
  expect(arrow).toHaveLength(4);
  expect(arrow.every(({ slope }) => Number.isFinite(slope))).toBe(true);
});
