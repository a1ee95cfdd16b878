import { expect, test } from "vitest";
import { readGeometry } from "#lib/geometry/read-geometry.ts";
import { malformedGeometries } from "./malformed.ts";

test("each of 500 malformed geometries has the place and the reason of its fault", () => {
  const all = malformedGeometries();
  expect(new Set(all.map(({ geometry }) => JSON.stringify(geometry))).size).toBeGreaterThan(350);
  const unclear = all.flatMap(({ geometry, path, reason }) => {
    const [first] = readGeometry(geometry).faults ?? [];
    const isAtPlace = first?.path.join("/").startsWith(path) === true;
    return isAtPlace && first?.detail.includes(reason) === true
      ? []
      : [{ geometry: JSON.stringify(geometry), path, reason, first }];
  });
  expect(all).toHaveLength(500);
  expect(unclear).toEqual([]);
});
