import { expect, test } from "vitest";
import { polygonFault } from "#lib/geometry/ring-faults.ts";

/** A circle of many positions, so that an index of edges is used. */
const circle = (x: number, radius: number) => {
  const ring = Array.from({ length: 400 }, (_each, at) => {
    const angle = (2 * Math.PI * at) / 400;
    return [x + radius * Math.cos(angle), radius * Math.sin(angle)];
  });
  return [...ring, ring[0] ?? []];
};

test("a circle with a circular hole has no fault", () => {
  expect(polygonFault([circle(0, 10), circle(0, 5)])).toBeUndefined();
});

test("a circular hole beyond the outer circle has one, with its place", () => {
  expect(polygonFault([circle(0, 10), circle(8, 5)])?.detail).toContain("crosses the ring 1");
  expect(polygonFault([circle(0, 10), circle(30, 5)])).toEqual({
    path: [1, 0],
    detail: "is in a hole that is outside of the outer ring",
  });
});
