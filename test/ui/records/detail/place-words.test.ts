import { expect, test } from "vitest";
import { pointWords } from "#ui/kit/text/words.ts";
import { geometryWords } from "#ui/records/detail/place-words.ts";

test("a point has its latitude first", () => {
  expect(pointWords({ type: "Point", coordinates: [-1.5, 54] })).toBe("54 N, 1.5 W");
  expect(pointWords({ type: "Point", coordinates: ["a", 54] })).toBeUndefined();
});

test("a geometry has its type, the number of its positions and the first one", () => {
  const coordinates = [
    [
      [1, 2],
      [3, 2],
      [3, 4],
      [1, 2],
    ],
  ];
  const polygon = { type: "Polygon", coordinates };
  const words = { kind: "Polygon of 4 positions", place: "from 2 N, 1 E" };
  expect(geometryWords(polygon)).toEqual(words);
  const point = { type: "Point", coordinates: [5, 6] };
  expect(geometryWords(point)).toEqual({ kind: "Point of 1 position", place: "6 N, 5 E" });
  expect(geometryWords({ type: "GeometryCollection", geometries: [point, polygon] })).toEqual({
    kind: "GeometryCollection of 5 positions",
    place: "from 6 N, 5 E",
  });
  expect(geometryWords({ type: "Polygon", coordinates: [] })).toBeUndefined();
});
