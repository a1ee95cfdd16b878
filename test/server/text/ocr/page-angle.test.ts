import { expect, test } from "vitest";
import type { Ink } from "#server/text/ocr/ink.ts";
import { densestLines, pageAngles } from "#server/text/ocr/page-angle.ts";

const [width, height] = [450, 600];

/** Lines of dots like words, at a slope in degrees, clockwise. */
function lines(degrees: number): Ink {
  const dots = new Uint8Array(width * height);
  const slope = Math.tan((degrees * Math.PI) / 180);
  for (let line = 0; line < 30; line += 1) {
    for (let x = 40; x < 410 - (line % 4) * 45; x += 1) {
      if (x % 25 > 20) continue;
      const top = Math.round(60 + line * 15 + (x - width / 2) * slope);
      for (let y = top; y < top + 5; y += 1) dots[y * width + x] = 1;
    }
  }
  return { width, height, dots };
}

/** The page after a quarter clockwise. */
function onSide({ dots }: Ink): Ink {
  const turned = new Uint8Array(dots.length);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      turned[x * height + height - 1 - y] = dots[y * width + x] ?? 0;
    }
  }
  return { width: height, height: width, dots: turned };
}

test.each([0, 1.3, -2.5, 5])("a slope of %d degrees is found", (degrees) => {
  const level = pageAngles(lines(degrees))[0];
  expect(level.isSideways).toBe(false);
  expect(Math.abs(level.degrees - degrees)).toBeLessThan(0.4);
  const sideways = pageAngles(onSide(lines(degrees)))[0];
  expect(sideways.isSideways).toBe(true);
  expect(Math.abs(sideways.degrees - degrees)).toBeLessThan(0.4);
});

test("the densest lines are cut out level", () => {
  for (const ink of [lines(4), onSide(lines(4))]) {
    const sample = densestLines(ink, pageAngles(ink)[0]);
    const rows = Array.from({ length: sample.height }, (_, y) =>
      sample.dots.subarray(y * sample.width, (y + 1) * sample.width).reduce((a, b) => a + b, 0),
    );
    expect(sample.width).toBe(width);
    expect(Math.min(...rows)).toBe(0);
    expect(Math.max(...rows)).toBeGreaterThan(width / 3);
  }
});
