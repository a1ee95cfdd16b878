import { expect, test } from "vitest";
import { clearRules, inkPicture } from "#server/text/ocr/ink.ts";
import { inkOf, inkPages } from "./ink-page.ts";

const [width, height] = [800, 600];

const page = inkPages(width, height);

test("lines of a table are cleared, strokes of letters and dark areas are kept", () => {
  const lines = page([
    [20, 100, 700, 3],
    [20, 100, 3, 400],
  ]);
  expect(clearRules(lines)).toBe(700 * 3 + 397 * 3);
  expect(inkOf(lines)).toBe(0);
  const letters = page([
    [100, 300, 6, 38],
    [120, 310, 25, 4],
  ]);
  expect(clearRules(letters)).toBe(0);
  const thick = page([
    [20, 100, 700, 6],
    [20, 106, 6, 400],
  ]);
  expect(clearRules(thick)).toBe(700 * 6 + 400 * 6);
  const area = page([[50, 50, 300, 80]]);
  expect(clearRules(area)).toBe(0);
  expect(inkOf(area)).toBe(300 * 80);
});

test("ink is written as a gray picture", () => {
  const bytes = inkPicture({ width: 2, height: 1, dots: Uint8Array.of(1, 0) });
  expect(Buffer.from(bytes).toString("latin1")).toBe("P5\n2 1\n255\n\u0000\u00ff");
});
