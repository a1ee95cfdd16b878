import { expect, test } from "vitest";
import {
  boxAroundBoth,
  boxOf,
  boxesMeet,
  flatBoxes,
  partsOf,
  type Geometry,
} from "#lib/geometry/geometry.ts";

test("a collection has the box of all of its parts", () => {
  const geometry: Geometry = {
    type: "GeometryCollection",
    geometries: [
      {
        type: "MultiPoint",
        coordinates: [
          [1, 2],
          [-3, 4],
        ],
      },
      {
        type: "LineString",
        coordinates: [
          [0, -5],
          [9, 0],
        ],
      },
    ],
  };
  expect(boxOf(partsOf(geometry))).toEqual([-3, -5, 9, 4]);
  expect(boxOf({ points: [], lines: [], polygons: [] })).toBeUndefined();
});

test("a box across 180 degrees is two boxes", () => {
  expect(flatBoxes([170, -10, -170, 10])).toEqual([
    [170, -10, 180, 10],
    [-180, -10, -170, 10],
  ]);
  expect(flatBoxes([0, 0, 1, 1])).toEqual([[0, 0, 1, 1]]);
});

test("boxes that touch meet, and have a common box", () => {
  expect(boxesMeet([0, 0, 1, 1], [1, 1, 2, 2])).toBe(true);
  expect(boxesMeet([0, 0, 1, 1], [1.1, 1, 2, 2])).toBe(false);
  expect(boxAroundBoth([0, 0, 1, 1], [5, 5, 6, 6])).toEqual([0, 0, 6, 6]);
  expect(boxAroundBoth(undefined, [5, 5, 6, 6])).toEqual([5, 5, 6, 6]);
});
