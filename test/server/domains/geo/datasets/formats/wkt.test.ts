import { expect, test } from "vitest";
import { geometryOfWkt } from "#server/domains/geo/datasets/formats/wkt.ts";

const notValid = "has no valid WKT";

test.each([
  ["POINT (1 2)", { type: "Point", coordinates: [1, 2] }],
  ["SRID=4326;POINT Z(1 2 3)", { type: "Point", coordinates: [1, 2, 3] }],
  ["point(1 2 3)", { type: "Point", coordinates: [1, 2, 3] }],
  ["POINT M (1 2 9)", { type: "Point", coordinates: [1, 2] }],
  ["POINTZM(1 2 3 9)", { type: "Point", coordinates: [1, 2, 3] }],
  [
    "LINESTRING(1 2 3 9,\n\t-4e0 5 6 9)",
    {
      type: "LineString",
      coordinates: [
        [1, 2, 3],
        [-4, 5, 6],
      ],
    },
  ],
  [
    "MULTIPOINT((1 2 3),(4 5 6))",
    {
      type: "MultiPoint",
      coordinates: [
        [1, 2, 3],
        [4, 5, 6],
      ],
    },
  ],
  [
    "GEOMETRYCOLLECTION(POINT(1 2 3),POINT(4 5))",
    {
      type: "GeometryCollection",
      geometries: [
        { type: "Point", coordinates: [1, 2, 3] },
        { type: "Point", coordinates: [4, 5] },
      ],
    },
  ],
  ["POLYGON EMPTY", null],
  ["POINT Z EMPTY", null],
  [" ", null],
])("%j is a geometry", (text, geometry) => {
  expect(geometryOfWkt(text)).toEqual(geometry);
});

test.each([
  ["SRID=3857;POINT(1 2)", "has the coordinate system 3857: convert it to WGS 84 (4326) first"],
  ["POINT(1 2) POINT(3 4)", notValid],
  ["POINT(1 2", notValid],
  ["POINT(1x 2)", notValid],
  ["POINT(1 2 3 4 5)", notValid],
  ["CIRCULARSTRING(0 0,1 1,2 0)", notValid],
  ["0101000020E6100000", notValid],
])("%j has a reason", (text, reason) => {
  expect(geometryOfWkt(text)).toBe(reason);
});
