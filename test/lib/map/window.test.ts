import { expect, test } from "vitest";
import { windowAround } from "#lib/map/window.ts";

const square = { width: 100, height: 100 };

test("without points, the window is the whole earth", () => {
  expect(windowAround([], square)).toEqual({ west: -180, south: -90, east: 180, north: 90 });
});

test("one point has a window of at least a fiftieth of a degree around it", () => {
  const { west, south, east, north } = windowAround([[10, 0]], square);
  expect(east - west).toBeCloseTo(0.02);
  expect(north - south).toBeCloseTo(0.02);
  expect((west + east) / 2).toBeCloseTo(10);
});

test("points across 180 degrees have one window, not the other side of the earth", () => {
  const { west, east } = windowAround(
    [
      [179, -17],
      [-179, -18],
    ],
    square,
  );
  expect(west).toBeGreaterThan(178);
  expect(east).toBeLessThan(182);
});

test("degrees of longitude are narrower far from the equator", () => {
  const { west, east, south, north } = windowAround(
    [
      [0, 60],
      [0, 61],
    ],
    square,
  );
  expect((east - west) / (north - south)).toBeCloseTo(2.03, 1);
});

test("a window never leaves the earth", () => {
  const wide = windowAround(
    [
      [-170, 89],
      [10, -89],
      [100, 0],
    ],
    { width: 200, height: 20 },
  );
  expect(wide.north).toBeLessThanOrEqual(90);
  expect(wide.south).toBeGreaterThanOrEqual(-90);
  expect(wide.east - wide.west).toBeLessThanOrEqual(360);
});
