import { expect, test } from "vitest";
import { svgMap } from "#lib/map/svg-map.ts";

const square = (west: number): { type: "Polygon"; coordinates: number[][][] } => ({
  type: "Polygon",
  coordinates: [
    [
      [west, 0],
      [west + 10, 0],
      [west + 10, 10],
      [west, 10],
      [west, 0],
    ],
  ],
});

test("a map has all shapes inside of its image, with escaped titles", () => {
  const text = svgMap({
    title: "A & B",
    coast: [
      [
        [0, 0],
        [5, 5],
        [170, 5],
      ],
    ],
    shapes: [
      { geometry: square(0), title: "<West>", weight: 1 },
      { geometry: { type: "Point", coordinates: [5, 5] }, title: "x" },
    ],
  });
  expect(text).toContain("<title>A &amp; B</title>");
  expect(text).toContain("<title>&lt;West&gt;</title>");
  const places = [...text.matchAll(/[ML]([\d.-]+) ([\d.-]+)/g)].slice(0, -5);
  expect(places.length).toBeGreaterThan(0);
  const corners = [...(/ d="([^"]*Z)"/.exec(text)?.[1] ?? "").matchAll(/[\d.-]+/g)].map(Number);
  expect(corners).toHaveLength(10);
  expect(corners.every((each) => each >= 0 && each <= 800)).toBe(true);
});

test("shapes on both sides of 180 degrees are next to each other", () => {
  const shapes = [178, -179].map((x) => ({
    geometry: { type: "Point" as const, coordinates: [x, 0] },
    title: String(x),
  }));
  const text = svgMap({ title: "t", coast: [], shapes });
  const xs = [...text.matchAll(/cx="([\d.-]+)"/g)].map(([, x]) => Number(x));
  expect(xs.filter((x) => x > 0 && x < 800)).toHaveLength(2);
});
