import { describe, expect, test } from "vitest";
import { readGeometry } from "#lib/geometry/read-geometry.ts";

const square = [
  [0, 0],
  [10, 0],
  [10, 10],
  [0, 10],
  [0, 0],
];
const polygon = (...rings: unknown[]) => ({ type: "Polygon", coordinates: rings });

function faultsOf(value: unknown): string[] {
  const { faults = [] } = readGeometry(value);
  return faults.map(({ path, detail }) => `/${path.join("/")} ${detail}`);
}

describe("a geometry", () => {
  test.each([
    [{ type: "Point", coordinates: [1, 2] }],
    [{ type: "Point", coordinates: [180, -90, 12.5] }],
    [polygon(square)],
    [polygon(square.toReversed())],
    [
      polygon([
        [-180, -90],
        [180, -90],
        [180, -60],
        [-180, -60],
        [-180, -90],
      ]),
    ],
    [
      polygon(square, [
        [1, 1],
        [2, 1],
        [2, 2],
        [1, 1],
      ]),
    ],
    [
      polygon(square, [
        [0, 0],
        [2, 1],
        [1, 2],
        [0, 0],
      ]),
    ],
    [{ type: "GeometryCollection", geometries: [{ type: "Point", coordinates: [0, 0] }] }],
  ])("that is valid is read as it is: %j", (value) => {
    expect(readGeometry(value)).toEqual({ geometry: value, isRepaired: false });
  });

  test.each([
    [null, "/ must be a geometry of GeoJSON"],
    [[1, 2], "/ must be a geometry of GeoJSON"],
    [{ type: "Circle" }, "/type must be one of Point, MultiPoint"],
    [{ type: "Point" }, "/coordinates must be a position"],
    [{ type: "Point", coordinates: [] }, "/coordinates must be a position"],
    [{ type: "Point", coordinates: [1] }, "/coordinates must be a position"],
    [{ type: "Point", coordinates: [1, 2, 3, 4] }, "/coordinates must be a position"],
    [{ type: "Point", coordinates: ["1", 2] }, "/coordinates/0 must be a number"],
    [{ type: "Point", coordinates: [181, 0] }, "/coordinates/0 must be a longitude"],
    [{ type: "Point", coordinates: [0, -91] }, "/coordinates/1 must be a latitude"],
    [{ type: "MultiPoint", coordinates: [] }, "/coordinates must have at least 1 position"],
    [{ type: "LineString", coordinates: [[0, 0]] }, "/coordinates must have at least 2 positions"],
    [
      {
        type: "LineString",
        coordinates: [
          [0, 0],
          [0, 0],
        ],
      },
      "must have two different positions",
    ],
    [
      {
        type: "MultiLineString",
        coordinates: [
          [0, 0],
          [1, 1],
        ],
      },
      "/coordinates/0/0 must be a pos",
    ],
    [polygon(), "/coordinates must not be empty"],
    [polygon(square.slice(0, 3)), "/coordinates/0 must have at least 4 positions for a ring"],
    [polygon(square.slice(0, 4)), "/coordinates/0/3 must be the first position"],
    [
      polygon([
        [0, 0],
        [0, 0],
        [0, 0],
        [0, 0],
      ]),
      "/coordinates/0 is a ring without an area",
    ],
    [
      polygon([
        [0, 0],
        [2, 2],
        [2, 0],
        [0, 2],
        [0, 0],
      ]),
      "crosses itself at [1, 1]",
    ],
    [
      polygon([
        [0, 0],
        [2, 0],
        [4, 0],
        [0, 0],
      ]),
      "runs along itself at",
    ],
    [
      polygon(square, [
        [9, 1],
        [12, 1],
        [9, 3],
        [9, 1],
      ]),
      "crosses the ring 1 at",
    ],
    [
      polygon(square, [
        [20, 1],
        [22, 1],
        [22, 3],
        [20, 1],
      ]),
      "/coordinates/1/0 is in a hole",
    ],
    [{ type: "MultiPolygon", coordinates: [[square], [square.slice(1)]] }, "/coordinates/1/0/3"],
    [{ type: "GeometryCollection" }, "/geometries must be a list of geometries"],
    [{ type: "GeometryCollection", geometries: [{}] }, "/geometries/0/type must be one of"],
  ])("with the fault of %j has its place and its reason", (value, reason) => {
    const [first] = faultsOf(value);
    expect(first).toContain(reason);
  });

  test("may keep rings that cross, and then has no other fault", () => {
    const value = polygon([
      [0, 0],
      [2, 2],
      [2, 0],
      [0, 2],
      [0, 0],
    ]);
    expect(readGeometry(value, { keep: true })).toEqual({ geometry: value, isRepaired: false });
    expect(readGeometry(polygon([[0, 0]]), { keep: true }).faults).toHaveLength(1);
  });

  test("names at most ten faults", () => {
    const coordinates = Array.from({ length: 50 }, () => [200, 100]);
    expect(faultsOf({ type: "MultiPoint", coordinates })).toHaveLength(10);
  });
});
