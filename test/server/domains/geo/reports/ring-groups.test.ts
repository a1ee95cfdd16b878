import { expect, test } from "vitest";
import { RingGroups } from "#server/domains/geo/reports/ring-groups.ts";
import { metresBetween } from "#server/kit/geometry/distance.ts";

const metrics = { count: { op: "count" } } as const;

test("a ring has the positions of its two distances, the outer ones against the clock", () => {
  const [, second] = new RingGroups([10, 50], [1_000, 5_000], metrics).rows();
  const { geometry } = second ?? {};
  const [outer = [], inner = []] = geometry?.type === "Polygon" ? geometry.coordinates : [];
  expect(outer.length).toBeGreaterThan(60);
  for (const each of outer) expect(metresBetween([10, 50], each)).toBeCloseTo(5_000, 0);
  for (const each of inner) expect(metresBetween([10, 50], each)).toBeCloseTo(1_000, 0);
  expect(areaOf(outer)).toBeGreaterThan(0);
  expect(areaOf(inner)).toBeLessThan(0);
});

test("a ring across 180 degrees or around a pole has no outline, and counts", () => {
  for (const position of [
    [179.999, 0],
    [0, 89.99],
  ]) {
    const rings = new RingGroups(position, [5_000], metrics);
    expect(rings.rows()).toMatchObject([{ key: "0-5000", geometry: null }]);
    expect(rings.of({ type: "Point", coordinates: position })).toHaveLength(1);
  }
});

function areaOf(ring: readonly (readonly number[])[]): number {
  return ring.slice(1).reduce((sum, [x2 = 0, y2 = 0], at) => {
    const [x1 = 0, y1 = 0] = ring[at] ?? [];
    return sum + (x1 * y2 - x2 * y1) / 2;
  }, 0);
}
