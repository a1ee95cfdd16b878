import { expect, test } from "vitest";
import { turnedBack, turnedOrientation } from "#server/text/ocr/page-turn.ts";

const word = { text: "fee", x: 10, y: 20, width: 30, height: 12 };

test("orientations of EXIF go on by quarters", () => {
  expect([0, 1, 2, 3].map((quarters) => turnedOrientation(1, quarters))).toEqual([1, 6, 3, 8]);
  expect(turnedOrientation(8, 1)).toBe(1);
  expect(turnedOrientation(2, 2)).toBe(4);
});

test.each([
  [0, { width: 100, height: 200 }, { x: 10, y: 20, width: 30, height: 12 }],
  [1, { width: 200, height: 100 }, { x: 20, y: 60, width: 12, height: 30 }],
  [2, { width: 100, height: 200 }, { x: 60, y: 168, width: 30, height: 12 }],
  [3, { width: 200, height: 100 }, { x: 168, y: 10, width: 12, height: 30 }],
])("a word of a page that was turned by %d quarters is where it was", (quarters, page, box) => {
  const layout = turnedBack({ width: 100, height: 200, words: [word] }, { quarters, degrees: 0 });
  expect(layout).toEqual({ ...page, words: [{ text: "fee", ...box }] });
});

test("a word of a page that leant moves around the middle", () => {
  const layout = { width: 200, height: 200, words: [{ ...word, x: 185, y: 94 }] };
  const [moved] = turnedBack(layout, { quarters: 0, degrees: -5 }).words;
  expect(moved?.x).toBeCloseTo(184.6, 1);
  expect(moved?.y).toBeCloseTo(102.7, 1);
});
