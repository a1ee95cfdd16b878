import { expect, test } from "vitest";
import { Area, innerPosition } from "#lib/geometry/area.ts";

const ring = (from: number, to: number) => [
  [from, from],
  [to, from],
  [to, to],
  [from, to],
  [from, from],
];

test("an area locates points, also in its hole and on its boundaries", () => {
  const area = Area.of([[ring(0, 10), ring(4, 6)]]);
  expect(area.locate(1, 1)).toBe("inside");
  expect(area.locate(5, 5)).toBe("outside");
  expect(area.locate(4, 5)).toBe("boundary");
  expect(area.locate(10, 10)).toBe("boundary");
  expect(area.locate(-1, 0)).toBe("outside");
});

test("an inner position is in the polygon and not in its hole", () => {
  const rings = [ring(0, 10), ring(1, 9)];
  const [x = 0, y = 0] = innerPosition(rings);
  expect(Area.of([rings]).locate(x, y)).toBe("inside");
});
