import { expect, test } from "vitest";
import { parseIntersects, parseWithin } from "#server/database/where/parse-geo.ts";
import { operandOf } from "#server/database/where/placed-operand.ts";

const ring = [
  [170, 0],
  [190, 0],
  [190, 20],
  [170, 20],
];

test("an area across 180 degrees has a part on each side, with its hole", () => {
  const hole = [
    [-178, 5],
    [-174, 5],
    [-174, 9],
    [-178, 9],
  ];
  const $geometry = { type: "Polygon", coordinates: [ring, hole] };
  const operand = operandOf(parseWithin({ $geometry }));
  expect(operand).toMatchObject({ relation: "within", geometry: { type: "MultiPolygon" } });
  const geometry = "geometry" in operand ? operand.geometry : undefined;
  const parts = geometry?.type === "MultiPolygon" ? geometry.coordinates : [];
  expect(new Set(parts.map((rings) => rings.length))).toEqual(new Set([1, 2]));
});

test("a line across 180 degrees is cut there", () => {
  const coordinates = [
    [179, 0],
    [-179, 2],
  ];
  expect(operandOf(parseIntersects({ $geometry: { type: "LineString", coordinates } }))).toEqual({
    relation: "intersects",
    geometry: {
      type: "MultiLineString",
      coordinates: [
        [
          [179, 0],
          [180, 1],
        ],
        [
          [-180, 1],
          [-179, 2],
        ],
      ],
    },
  });
});

test("circles keep their center and reach", () => {
  const circle = operandOf(parseWithin({ $centerSphere: [[1, 2], 0.001] }));
  expect(circle).toEqual({ relation: "circle", center: [1, 2], metres: 6378.1 });
  const flat = operandOf(parseWithin({ $center: [[1, 2], 3] }));
  expect(flat).toEqual({ relation: "flat-circle", center: [1, 2], degrees: 3 });
});
