import { pointToLineDistance } from "@turf/point-to-line-distance";
import fc from "fast-check";
import type { LineString } from "geojson";
import { describe, expect, test } from "vitest";
import { boxesAround, metresBetween, metresTo } from "#server/kit/geometry/distance.ts";

describe("the distance to a geometry", () => {
  test("agrees with @turf for short lines", () => {
    const near = (from: number, by: number) =>
      fc.double({ min: from - by, max: from + by, noNaN: true });
    const position = fc.tuple(near(10, 0.4), near(50, 0.4));
    fc.assert(
      fc.property(
        position,
        fc.array(position, { minLength: 2, maxLength: 5 }),
        (from, coordinates) => {
          const line: LineString = { type: "LineString", coordinates };
          const expected = pointToLineDistance(from, line, { units: "meters" });
          expect(Math.abs(metresTo(from, line) - expected)).toBeLessThan(1 + expected / 1000);
        },
      ),
      { numRuns: 60 },
    );
  });

  test("is 0 in an area, and goes over 180 degrees and a pole", () => {
    const ring = [
      [0, 0],
      [2, 0],
      [2, 2],
      [0, 2],
      [0, 0],
    ];
    expect(metresTo([1, 1], { type: "Polygon", coordinates: [ring] })).toBe(0);
    const degree = metresBetween([0, 0], [1, 0]);
    expect(metresTo([-179.5, 0], { type: "Point", coordinates: [179.5, 0] })).toBeCloseTo(
      degree,
      3,
    );
    expect(metresTo([0, 89.5], { type: "Point", coordinates: [180, 89.5] })).toBeCloseTo(degree, 3);
  });

  test("follows the line of the map, not the great circle, between far positions", () => {
    const line: LineString = {
      type: "LineString",
      coordinates: [
        [-120, 49],
        [-95, 49],
      ],
    };
    expect(metresTo([-107.5, 49], line)).toBeLessThan(200);
  });

  test("is never shorter than the boxes around a position say", () => {
    const position = fc.tuple(
      fc.double({ min: -180, max: 180, noNaN: true }),
      fc.double({ min: -90, max: 90, noNaN: true }),
    );
    fc.assert(
      fc.property(
        position,
        position,
        fc.integer({ min: 1, max: 5_000_000 }),
        (from, to, metres) => {
          if (metresBetween(from, to) > metres) return;
          const isIn = boxesAround(from, metres).some(
            ([west, south, east, north]) =>
              to[0] >= west && to[0] <= east && to[1] >= south && to[1] <= north,
          );
          expect(isIn).toBe(true);
        },
      ),
      { numRuns: 400 },
    );
  });
});
