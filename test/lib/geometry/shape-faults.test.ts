import { expect, test } from "vitest";
import { ShapeCheck } from "#lib/geometry/shape-faults.ts";

function faultsOf(geometry: unknown, isRepairable = false): string[] {
  const check = new ShapeCheck(isRepairable);
  check.geometry(geometry, []);
  return check.faults.map(({ path, detail }) => `${path.join("/")} ${detail}`);
}

const ring = [
  [0, 0],
  [1, 0],
  [1, 1],
  [0, 0],
];

test.each([
  [{ type: "Point", coordinates: [13.4, 52.5, 34] }],
  [{ type: "LineString", coordinates: ring }],
  [{ type: "MultiPoint", coordinates: [[1, 2]] }],
  [{ type: "Polygon", coordinates: [ring] }],
  [{ type: "MultiPolygon", coordinates: [[ring], [ring]] }],
  [{ type: "GeometryCollection", geometries: [{ type: "Point", coordinates: [1, 2] }] }],
])("%j has no fault", (geometry) => {
  expect(faultsOf(geometry)).toEqual([]);
});

test.each<[unknown, string]>([
  [null, " must be a geometry of GeoJSON"],
  [[], " must be a geometry of GeoJSON"],
  [
    { type: "Circle" },
    "type must be one of Point, MultiPoint, LineString, MultiLineString, Polygon, MultiPolygon, GeometryCollection",
  ],
  [
    { type: "Point", coordinates: [1] },
    "coordinates must be a position: [longitude, latitude] and maybe an altitude",
  ],
  [{ type: "Point", coordinates: [1, "2"] }, "coordinates/1 must be a number"],
  [
    { type: "Point", coordinates: [181, 2] },
    "coordinates/0 must be a longitude from -180 to 180; it is 181",
  ],
  [
    { type: "Point", coordinates: [1, -91] },
    "coordinates/1 must be a latitude from -90 to 90; it is -91",
  ],
  [
    { type: "LineString", coordinates: [[1, 2]] },
    "coordinates must have at least 2 positions for a line; it has 1",
  ],
  [
    {
      type: "LineString",
      coordinates: [
        [1, 2],
        [1, 2],
      ],
    },
    "coordinates must have two different positions",
  ],
  [{ type: "Polygon", coordinates: [] }, "coordinates must not be empty"],
  [{ type: "Polygon", coordinates: 1 }, "coordinates must be a list of lists of positions"],
  [
    { type: "Polygon", coordinates: [[...ring.slice(0, 3), [2, 2]]] },
    "coordinates/0/3 must be the first position, so that the ring is closed",
  ],
  [{ type: "GeometryCollection", geometries: [] }, "geometries must not be empty"],
  [
    { type: "GeometryCollection", geometries: [{ type: "Point", coordinates: 1 }] },
    "geometries/0/coordinates must be a position: [longitude, latitude] and maybe an altitude",
  ],
])("%j has its fault", (geometry, fault) => {
  expect(faultsOf(geometry)).toEqual([fault]);
});

test("a repairable geometry may be open, empty and past the date line", () => {
  const open = { type: "Polygon", coordinates: [[...ring.slice(0, 3), [539, 2]]] };
  expect(faultsOf(open, true)).toEqual([]);
  expect(faultsOf({ type: "MultiPolygon", coordinates: [] }, true)).toEqual([]);
  expect(faultsOf({ type: "Point", coordinates: [541, 0] }, true)).toHaveLength(1);
});

test("the check ends after ten faults and eight levels of collections", () => {
  const many = Array.from({ length: 50 }, () => ["x", "y"]);
  expect(faultsOf({ type: "MultiPoint", coordinates: many })).toHaveLength(10);
  let deep: unknown = { type: "Point", coordinates: [1, 2] };
  for (let level = 0; level < 9; level += 1) {
    deep = { type: "GeometryCollection", geometries: [deep] };
  }
  expect(faultsOf(deep)[0]).toMatch(/nests deeper than 8 levels$/);
});
