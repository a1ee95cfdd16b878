import { expect, test } from "vitest";
import { GridGroups, type CellSize } from "#server/domains/geo/reports/grid-groups.ts";

const metrics = { count: { op: "count" } } as const;

function keyAt(size: CellSize, x: number, y: number): string | undefined {
  const grid = new GridGroups(size, metrics);
  return grid.of({ type: "Point", coordinates: [x, y] })[0]?.key;
}

test.each([
  [0, 0, "0,0"],
  [9.99, -0.01, "0,-10"],
  [180, 90, "170,80"],
  [-180, -90, "-180,-90"],
])("the point %d, %d is in the cell %s", (x, y, key) => {
  expect(keyAt({ degrees: 10 }, x, y)).toBe(key);
});

test("a decimal size has corners without the noise of a division", () => {
  expect(keyAt({ degrees: 0.1 }, 0.3, 0.7)).toBe("0.3,0.7");
});

test("cells in metres have nearly the width of their height, up to the poles", () => {
  for (const y of [-89.99, -60, 0.1, 45, 80]) {
    const grid = new GridGroups({ metres: 100_000 }, metrics);
    const [cell] = grid.of({ type: "Point", coordinates: [10, y] });
    const { geometry } = cell ?? {};
    const [[west = 0] = [], , [east = 0] = []] =
      geometry?.type === "Polygon" ? (geometry.coordinates[0] ?? []) : [];
    const metres = (east - west) * 111_195 * Math.cos((Math.abs(y) * Math.PI) / 180);
    if (Math.abs(y) < 85) expect(Math.abs(metres - 100_000)).toBeLessThan(10_000);
  }
});
