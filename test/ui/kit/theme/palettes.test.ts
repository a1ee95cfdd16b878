import { expect, test } from "vitest";
import { contrastOf, rgbOf, type Rgb } from "#ui/kit/theme/colour.ts";
import { palettes, paletteSkin } from "#ui/kit/theme/palettes.ts";

test.each(Object.keys(palettes) as (keyof typeof palettes)[])(
  "the texts of %s can be read on a ground that it was not made for",
  (name) => {
    const palette = palettes[name];
    const ground = rgbOf("#7f8c8d") as Rgb;
    const skin = paletteSkin(palette, ground, "24 bits");
    for (const token of ["quiet", "focus", "good", "warn", "bad"] as const) {
      const colour = rgbOf(skin[token].color ?? "") as Rgb;
      expect(contrastOf(colour, ground)).toBeGreaterThanOrEqual(Math.min(palette.contrast, 4.5));
    }
  },
);

test("a terminal with 256 colours gets their numbers", () => {
  const skin = paletteSkin(palettes.dark, undefined, "256");
  expect(skin.good.color).toMatch(/^ansi256\(\d+\)$/);
  expect(skin.bad).toMatchObject({ bold: true });
});
