import { expect, test } from "vitest";
import {
  earthMetres,
  parseIntersects,
  parseNear,
  parseWithin,
} from "#server/database/where/parse-geo.ts";

const point = (x: unknown, y: unknown) => ({ type: "Point", coordinates: [x, y] });
const square = [
  [0, 0],
  [2, 0],
  [2, 2],
  [0, 2],
  [0, 0],
];

test("a distance has its bounds, or those of the Earth", () => {
  expect(parseNear({ $geometry: point(1, 2), $maxDistance: 5 })).toEqual({
    center: [1, 2],
    maximumMetres: 5,
    minimumMetres: 0,
  });
  expect(parseNear({ $geometry: point(1, 2) }).maximumMetres).toBe(
    Math.ceil(Math.PI * earthMetres),
  );
});

test.each([
  [
    {
      $box: [
        [1, 2],
        [3, 4],
      ],
    },
    { kind: "box", southWest: [1, 2], northEast: [3, 4] },
  ],
  [{ $center: [[1, 2], 3] }, { kind: "flat-circle", center: [1, 2], degrees: 3 }],
  [
    { $centerSphere: [[1, 2], 1] },
    { kind: "circle", near: { center: [1, 2], minimumMetres: 0, maximumMetres: earthMetres } },
  ],
  [{ $polygon: square }, { kind: "polygon", ring: square.slice(0, 4) }],
  [
    { $geometry: { type: "Polygon", coordinates: [square, square] } },
    {
      kind: "with-holes",
      area: { kind: "polygon", ring: square.slice(0, 4) },
      holes: [{ kind: "polygon", ring: square.slice(0, 4) }],
    },
  ],
])("$within %j", (operand, area) => {
  expect(parseWithin(operand)).toEqual({ kind: "within", relation: "within", area });
});

test("lines and rings go the shorter way across the antimeridian", () => {
  const line = {
    type: "LineString",
    coordinates: [
      [179, 0],
      [-179, 1],
    ],
  };
  expect(parseIntersects({ $geometry: line }).area).toEqual({
    kind: "lines",
    lines: [
      [
        [179, 0],
        [181, 1],
      ],
    ],
  });
  const ring = [
    [179, 0],
    [-179, 0],
    [-179, 1],
    [179, 0],
  ];
  expect(parseWithin({ $geometry: { type: "Polygon", coordinates: [ring] } }).area).toEqual({
    kind: "polygon",
    ring: [
      [179, 0],
      [181, 0],
      [181, 1],
    ],
  });
});

test.each<[() => unknown, string]>([
  [() => parseNear(1), "must be an object with $geometry, $maxDistance, $minDistance"],
  [() => parseNear({ $geometry: point(1, 2), $max: 1 }), 'does not know "$max"'],
  [
    () => parseNear({ $geometry: point(1, 91) }),
    "needs positions as [longitude, latitude] in degrees",
  ],
  [
    () => parseNear({ $geometry: point(1, 2), $maxDistance: -1 }),
    "needs metres in $maxDistance, not less than 0",
  ],
  [() => parseNear({ $geometry: { type: "Polygon" } }), "needs a GeoJSON Point in $geometry"],
  [() => parseWithin({}), "needs one of $box, $center, $centerSphere, $polygon or $geometry"],
  [
    () => parseWithin({ $box: [[1, 2]] }),
    "needs two corners in $box: [[west, south], [east, north]]",
  ],
  [
    () => parseWithin({ $center: [[1, 2], -1] }),
    "needs [[longitude, latitude], radius], the radius as degrees in $center",
  ],
  [
    () =>
      parseWithin({
        $polygon: [
          [1, 2],
          [3, 4],
          [1, 2],
        ],
      }),
    "needs at least three positions in a polygon",
  ],
  [
    () =>
      parseWithin({
        $polygon: [
          [-350, 0],
          [350, 0],
          [0, 1],
        ],
      }),
    "takes no polygon of more than 360 degrees",
  ],
  [
    () =>
      parseWithin({
        $geometry: {
          type: "Polygon",
          coordinates: [
            [
              [0, 80],
              [120, 80],
              [-120, 80],
            ],
          ],
        },
      }),
    "takes no Polygon around a pole",
  ],
  [
    () =>
      parseIntersects({
        $geometry: {
          type: "GeometryCollection",
          geometries: [{ type: "GeometryCollection", geometries: [point(1, 2)] }],
        },
      }),
    "takes no GeometryCollection inside of another one",
  ],
])("case %#: %s", (parse, fault) => {
  expect(parse).toThrow(fault);
});
