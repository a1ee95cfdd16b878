import { expect, test } from "vitest";
import { meeting, meetingPlaces } from "#lib/geometry/segments.ts";

const segment = (x1: number, y1: number, x2: number, y2: number) => ({ x1, y1, x2, y2 });

test.each([
  [segment(0, 2, 2, 0), "cross", [0.5]],
  [segment(2, 2, 3, 0), "touch", [1]],
  [segment(1, 1, 1, 5), "touch", [0.5]],
  [segment(1, 1, 4, 4), "overlap", [0.5, 1]],
  [segment(2, 2, 4, 4), "touch", [1]],
  [segment(3, 3, 4, 4), "apart", []],
  [segment(0, 1, 2, 3), "apart", []],
])("a diagonal meets %j", (other, met, places) => {
  const diagonal = segment(0, 0, 2, 2);
  expect(meeting(diagonal, other)).toBe(met);
  expect(meeting(other, diagonal)).toBe(met);
  expect(meetingPlaces(diagonal, other)).toEqual(places);
});
