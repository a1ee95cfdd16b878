import { expect, test } from "vitest";
import { Edges } from "#lib/geometry/edges.ts";

/** A zigzag from west to east, one degree at a time. */
const zigzag = (count: number) => Array.from({ length: count }, (_each, at) => [at, at % 2]);

test.each([10, 200])("the edges of a line of %i positions are found by their boxes", (count) => {
  const edges = Edges.of([zigzag(count)]);
  expect(edges.all).toHaveLength(count - 1);
  const found = edges.in([2.5, 0, 3.5, 0.5]).map(({ at }) => at);
  expect(found.toSorted((a, b) => a - b)).toEqual([2, 3]);
  expect(edges.in([2.5, 5, 3.5, 6])).toEqual([]);
});

test("repeated positions make no edge", () => {
  const edges = Edges.of([
    [
      [1, 1],
      [1, 1],
      [2, 2],
    ],
  ]);
  expect(edges.all).toMatchObject([{ line: 0, at: 1, x1: 1, x2: 2 }]);
});
