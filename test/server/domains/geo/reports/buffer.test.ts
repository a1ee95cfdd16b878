import { expect, test } from "vitest";
import { Buffer } from "#server/domains/geo/reports/buffer.ts";
import { TickShare } from "#server/kit/turns/tick-share.ts";

const point = (x: number, y: number) => ({ type: "Point", coordinates: [x, y] }) as const;
const line = {
  type: "LineString",
  coordinates: [
    [0, 0],
    [2, 0],
  ],
} as const;

test("the distance of geometries is that of their nearest points, and 0 where they meet", async () => {
  const buffer = new Buffer(line, 1_000);
  const ticks = new TickShare();
  expect(await buffer.metresTo(point(1, 0), ticks)).toBe(0);
  expect(await buffer.metresTo(point(1, 0.01), ticks)).toBeCloseTo(1111.95, 1);
  const crossing = {
    type: "LineString",
    coordinates: [
      [1, 1],
      [1, -1],
    ],
  } as const;
  expect(await buffer.metresTo(crossing, ticks)).toBe(0);
  const beside = {
    type: "LineString",
    coordinates: [
      [1, 1],
      [1, 0.01],
    ],
  } as const;
  expect(await buffer.metresTo(beside, ticks)).toBeCloseTo(1111.95, 1);
});

test("the box of a buffer crosses 180 degrees, and has the whole circle at a pole", () => {
  const [west, , east] = new Buffer(point(179.99, 0), 10_000).box;
  expect(west).toBeCloseTo(179.9, 2);
  expect(east).toBeCloseTo(-179.92, 2);
  const [, , , north] = new Buffer(point(0, 89.99), 10_000).box;
  expect(new Buffer(point(0, 89.99), 10_000).box.slice(0, 3)).toMatchObject([
    -180,
    expect.anything(),
    180,
  ]);
  expect(north).toBe(90);
});
