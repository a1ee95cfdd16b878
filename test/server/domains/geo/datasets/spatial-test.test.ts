import { expect, test } from "vitest";
import { atOnce } from "#lib/time/stepwise.ts";
import { boxOfText, nearOfText, SpatialTest } from "#server/domains/geo/datasets/spatial-test.ts";

test("the boxes of a search are what all of its conditions have in common", () => {
  const near = { position: [0, 0], metres: 200_000 };
  expect(SpatialTest.of({}, "query").boxes).toBeUndefined();
  const [box] = SpatialTest.of({ bbox: [0, 0, 50, 50], near }, "query").boxes ?? [];
  expect(box?.slice(0, 2)).toEqual([0, 0]);
  expect(box?.[2]).toBeCloseTo(1.8, 1);
  expect(SpatialTest.of({ bbox: [40, 40, 50, 50], near }, "query").boxes).toEqual([]);
  expect(SpatialTest.of({ bbox: [170, 0, -170, 5] }, "query").boxes).toHaveLength(2);
});

test("texts of boxes and distances are read, and refused beyond the earth", () => {
  expect(boxOfText("1,2,3,4")).toEqual([1, 2, 3, 4]);
  expect(boxOfText("1,2,0,3,4,9")).toEqual([1, 2, 3, 4]);
  expect(nearOfText("1,2,30")).toEqual({ position: [1, 2], metres: 30 });
  expect(() => nearOfText("1,200,30")).toThrow("near");
  expect(() => SpatialTest.of({ bbox: [0, 10, 5, 2] }, "query")).toThrow("bbox");
});

/** A comb whose teeth all lie east of a point on its left. */
function comb(teeth: number): number[][] {
  const edges = Array.from({ length: teeth }, (_, at) => [
    [1 + at * 0.001, 0],
    [1 + at * 0.001 + 0.0005, 10],
  ]).flat();
  return [...edges, [80, -1], [0, -1], [0, 0], [1, 0]];
}

test("a comparison that would take seconds is refused with the condition and the feature", () => {
  const coordinates = Array.from({ length: 3_000 }, (_, at) => [0.5, 1 + at * 0.002]);
  const row = {
    number: 1,
    id: "many",
    geometry: JSON.stringify({ type: "MultiPoint", coordinates }),
    properties: "{}",
    version: 1,
    created_at: "",
    updated_at: "",
    west: 0.5,
    south: 1,
    east: 1.5,
    north: 7,
  };
  const area = { type: "Polygon", coordinates: [comb(1_000)] };
  const tested = (intersects: object) =>
    atOnce(atOnce(SpatialTest.inParts({ intersects }, "body")).test(row));
  expect(() => tested(area)).toThrow("#/intersects");
  expect(tested({ type: "MultiPoint", coordinates })).toEqual({ row });
});
