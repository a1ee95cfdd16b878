import { expect, test } from "vitest";
import { clearRules, inkPicture, type Ink } from "#server/text/ocr/ink.ts";

const [width, height] = [800, 600];

function page(boxes: readonly (readonly [number, number, number, number])[]): Ink {
  const dots = new Uint8Array(width * height);
  for (const [x, y, wide, high] of boxes) {
    for (let line = y; line < y + high; line += 1) {
      dots.fill(1, line * width + x, line * width + x + wide);
    }
  }
  return { width, height, dots };
}

const inkOf = ({ dots }: Ink): number => dots.reduce((sum, dot) => sum + dot, 0);

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
  const area = page([[50, 50, 300, 80]]);
  expect(clearRules(area)).toBe(0);
  expect(inkOf(area)).toBe(300 * 80);
});

test("ink is written as a gray picture", () => {
  const bytes = inkPicture({ width: 2, height: 1, dots: Uint8Array.of(1, 0) });
  expect(Buffer.from(bytes).toString("latin1")).toBe("P5\n2 1\n255\n\u0000\u00ff");
});
