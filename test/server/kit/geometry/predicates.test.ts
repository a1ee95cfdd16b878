import { booleanIntersects } from "@turf/boolean-intersects";
import { booleanPointInPolygon } from "@turf/boolean-point-in-polygon";
import { booleanWithin } from "@turf/boolean-within";
import fc from "fast-check";
import type { Feature, MultiPolygon, Polygon } from "geojson";
import { describe, expect, test } from "vitest";
import { atOnce } from "#lib/time/stepwise.ts";
import { PreparedGeometry } from "#server/kit/geometry/predicates.ts";
import type { Geometry } from "#lib/geometry/geometry.ts";

const box = (west: number, south: number, east: number, north: number): number[][] => [
  [west, south],
  [east, south],
  [east, north],
  [west, north],
  [west, south],
];
const ring10 = box(0, 0, 10, 10);
const withHole: Geometry = { type: "Polygon", coordinates: [ring10, box(4, 4, 6, 6)] };
const point = (x: number, y: number): Geometry => ({ type: "Point", coordinates: [x, y] });
const line = (...coordinates: number[][]): Geometry => ({ type: "LineString", coordinates });
const area = (...coordinates: number[][][]): Geometry => ({ type: "Polygon", coordinates });

/** A star around a center: its ring never crosses itself. */
const star = fc
  .record({
    x: fc.integer({ min: -20, max: 20 }),
    y: fc.integer({ min: -20, max: 20 }),
    radii: fc.array(fc.integer({ min: 1, max: 15 }), { minLength: 3, maxLength: 80 }),
  })
  .map(({ x, y, radii }): Polygon => {
    const ring = radii.map((radius, at) => {
      const angle = (2 * Math.PI * at) / radii.length;
      return [x + radius * Math.cos(angle), y + radius * Math.sin(angle)];
    });
    return { type: "Polygon", coordinates: [[...ring, ring[0] ?? []]] };
  });
const anyPoint = fc.tuple(
  fc.double({ min: -35, max: 35, noNaN: true }),
  fc.double({ min: -35, max: 35, noNaN: true }),
);

describe("a prepared geometry", () => {
  test("agrees with @turf about points in a polygon", () => {
    fc.assert(
      fc.property(star, anyPoint, (polygon, [x, y]) => {
        const prepared = PreparedGeometry.of(polygon);
        const expected = booleanPointInPolygon([x, y], polygon, { ignoreBoundary: true });
        expect(atOnce(prepared.contains(point(x, y)))).toBe(expected);
      }),
      { numRuns: 150 },
    );
  });

  test("agrees with @turf about polygons that have a point in common", () => {
    fc.assert(
      fc.property(star, star, (one, other) => {
        expect(atOnce(PreparedGeometry.of(one).intersects(other))).toBe(
          booleanIntersects(one, other),
        );
      }),
      { numRuns: 100 },
    );
  });

  test("agrees with @turf about rectangles within rectangles", () => {
    const side = fc.integer({ min: 0, max: 6 });
    const rectangle = fc
      .tuple(side, side, fc.integer({ min: 1, max: 4 }), fc.integer({ min: 1, max: 4 }))
      .map(([x, y, width, height]): Polygon => {
        return { type: "Polygon", coordinates: [box(x, y, x + width, y + height)] };
      });
    fc.assert(
      fc.property(rectangle, rectangle, (one, other) => {
        expect(atOnce(PreparedGeometry.of(other).contains(one))).toBe(booleanWithin(one, other));
      }),
      { numRuns: 100 },
    );
  });

  test.each([
    ["a point in it", point(1, 1), true, true],
    ["a point of its boundary", point(0, 5), true, false],
    ["a point in its hole", point(5, 5), false, false],
    ["a point apart", point(11, 5), false, false],
    ["a line in it", line([1, 1], [9, 1]), true, true],
    ["a line along its boundary", line([0, 0], [0, 10]), true, false],
    ["a line through its hole", line([1, 5], [9, 5]), true, false],
    ["a line around its hole", line([1, 5], [5, 3], [9, 5]), true, true],
    ["a line that leaves it", line([5, 1], [15, 1]), true, false],
    ["a line beyond a corner", line([11, 9], [9, 11]), true, false],
    ["a line that touches a corner's outside", line([10, 12], [12, 10]), false, false],
    ["a polygon in it", area(box(1, 1, 3, 3)), true, true],
    ["a polygon around its hole", area(box(3, 3, 7, 7)), true, false],
    [
      "a polygon around its hole with the same hole",
      area(box(3, 3, 7, 7), box(4, 4, 6, 6)),
      true,
      true,
    ],
    ["a polygon in its hole", area(box(4.5, 4.5, 5.5, 5.5)), false, false],
    ["a polygon that fills its hole", area(box(4, 4, 6, 6)), true, false],
    ["a polygon around it", area(box(-1, -1, 11, 11)), true, false],
    ["itself", withHole, true, true],
  ])("knows about %s", (_name, other, intersects, contains) => {
    const prepared = PreparedGeometry.of(withHole);
    expect(atOnce(prepared.intersects(other))).toBe(intersects);
    expect(atOnce(PreparedGeometry.of(other).intersects(withHole))).toBe(intersects);
    expect(atOnce(prepared.contains(other))).toBe(contains);
  });

  test("reaches both sides of 180 degrees and a pole", () => {
    const coordinates: MultiPolygon["coordinates"] = [
      [box(170, 80, 180, 90)],
      [box(-180, 80, -170, 90)],
    ];
    const feature: Feature<MultiPolygon> = {
      type: "Feature",
      properties: {},
      geometry: { type: "MultiPolygon", coordinates },
    };
    const prepared = PreparedGeometry.of(feature.geometry);
    for (const [x, y, isIn] of [
      [175, 85, true],
      [-175, 85, true],
      [0, 85, false],
    ] as const) {
      expect(atOnce(prepared.contains(point(x, y)))).toBe(isIn);
      expect(booleanPointInPolygon([x, y], feature)).toBe(isIn);
    }
    expect(atOnce(prepared.intersects(point(180, 90)))).toBe(true);
  });
});
