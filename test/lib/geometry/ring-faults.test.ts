import { expect, test } from "vitest";
import type { Rings } from "#lib/geometry/geometry.ts";
import { crossingsIn, polygonCheck } from "#lib/geometry/ring-faults.ts";
import { atOnce } from "#lib/time/stepwise.ts";

const polygonFault = (rings: Rings) => atOnce(polygonCheck(rings));

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

/** Each edge of such a star has a box that meets those of half of the others. */
const star = (edges: number) => {
  const ring = Array.from({ length: edges }, (_each, at) => {
    const [angle, radius] = [(2 * Math.PI * at) / edges, at % 2 === 0 ? 60 : 1];
    return [radius * Math.cos(angle), radius * Math.sin(angle)];
  });
  return [...ring, ring[0] ?? []];
};

test("a polygon whose edges would be compared for seconds is refused instead", () => {
  expect(polygonFault([star(1_000)])).toBeUndefined();
  const detail = "has too many long edges across each other to be checked: simplify it first";
  expect(polygonFault([star(3_000)])).toEqual({ path: [], detail });
});

test("crossings are counted once for each pair of edges", () => {
  const bow = [
    [0, 0],
    [2, 2],
    [2, 0],
    [0, 2],
    [0, 0],
  ];
  expect(crossingsIn([bow])).toBe(1);
  expect(crossingsIn([circle(0, 10), circle(0, 5)])).toBe(0);
});

test("a check of a polygon with many positions has many parts", () => {
  const positions = 30_000;
  const ring = Array.from({ length: positions }, (_each, at) => {
    const angle = (2 * Math.PI * at) / positions;
    return [50 * Math.cos(angle), 50 * Math.sin(angle)];
  });
  const check = polygonCheck([[...ring, ring[0] ?? []]]);
  let parts = 0;
  while (check.next().done !== true) parts += 1;
  // A part has about a hundred edges.
  expect(parts).toBeGreaterThan(positions / 200);
});
