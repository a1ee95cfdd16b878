import type { Ink } from "#server/text/ocr/ink.ts";

/** A spot of ink: its place, width and height in dots. */
export type Box = readonly [x: number, y: number, wide: number, high: number];

/** Draws pages of one size with boxes of ink. */
export function inkPages(width: number, height: number): (boxes: readonly Box[]) => Ink {
  return (boxes) => {
    const dots = new Uint8Array(width * height);
    for (const [x, y, wide, high] of boxes) {
      for (let line = y; line < y + high; line += 1) {
        dots.fill(1, line * width + x, line * width + x + wide);
      }
    }
    return { width, height, dots };
  };
}

/** The dots of ink on a page. */
export function inkOf({ dots }: Ink): number {
  return dots.reduce((sum, dot) => sum + dot, 0);
}
