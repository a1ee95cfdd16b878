import { expect, test } from "vitest";
import { Outlines } from "#server/domains/geo/gazetteer/outlines.ts";
import { NumberWriter, outlineUnitsPerDegree } from "#server/domains/geo/gazetteer/packed.ts";

/** Two squares that share the side at 1 degree; the first has a hole. */
function squares(): Outlines {
  const arcs = new NumberWriter();
  const units = (degrees: number): number => Math.round(degrees * outlineUnitsPerDegree);
  const lines = [
    [
      [1, 1],
      [0, 1],
      [0, 0],
      [1, 0],
    ],
    [
      [1, 0],
      [1, 1],
    ],
    [
      [1, 0],
      [2, 0],
      [2, 1],
      [1, 1],
    ],
    [
      [0.4, 0.4],
      [0.6, 0.4],
      [0.6, 0.6],
      [0.4, 0.6],
      [0.4, 0.4],
    ],
  ];
  for (const line of lines) {
    arcs.put(line.length);
    let [x, y] = [0, 0];
    for (const [longitude = 0, latitude = 0] of line) {
      arcs.put(units(longitude) - x);
      arcs.put(units(latitude) - y);
      [x, y] = [units(longitude), units(latitude)];
    }
  }
  const outlines = new NumberWriter();
  for (const number of [3, 0, 1, 2, 2, 1, 1]) outlines.put(number);
  return new Outlines(arcs.bytes, outlines.bytes);
}

test.each([
  [[0.5, 0.1], 0],
  [[0.5, 0.5], undefined],
  [[1.5, 0.5], 1],
  [[2.5, 0.5], undefined],
  [[0.5, 1.5], undefined],
])("the point %j is in area %j", (point, area) => {
  const [longitude = 0, latitude = 0] = point;
  expect(squares().areaAt(longitude, latitude)).toBe(area);
});
