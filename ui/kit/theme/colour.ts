/** Colours as red, green and blue between 0 and 255, and their contrast (WCAG 2.2). */
export type Rgb = readonly [red: number, green: number, blue: number];

export const black: Rgb = [0, 0, 0];
export const white: Rgb = [255, 255, 255];

/** The colour of `#rrggbb`; undefined for another text. */
export function rgbOf(hex: string): Rgb | undefined {
  const [, red = "", green = "", blue = ""] =
    /^#([\da-f]{2})([\da-f]{2})([\da-f]{2})$/i.exec(hex) ?? [];
  if (red === "") return undefined;
  return [Number.parseInt(red, 16), Number.parseInt(green, 16), Number.parseInt(blue, 16)];
}

export function hexOf(rgb: Rgb): string {
  return `#${rgb.map((value) => Math.round(value).toString(16).padStart(2, "0")).join("")}`;
}

/** The relative luminance, between 0 for black and 1 for white. */
export function luminance(rgb: Rgb): number {
  const [red, green, blue] = [linear(rgb[0]), linear(rgb[1]), linear(rgb[2])];
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function linear(value: number): number {
  const share = value / 255;
  return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
}

/** The contrast of two colours, between 1 and 21. */
export function contrastOf(one: Rgb, other: Rgb): number {
  const [a, b] = [luminance(one), luminance(other)];
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
}

/** Black or white, whichever has the higher contrast to the ground: at least 4.5. */
export function textOn(ground: Rgb): Rgb {
  return contrastOf(white, ground) >= contrastOf(black, ground) ? white : black;
}

export function isDark(ground: Rgb): boolean {
  return textOn(ground) === white;
}

/** The colour at a share of the way from one to the other. */
export function mixed(from: Rgb, to: Rgb, share: number): Rgb {
  const at = (start: number, end: number) => start + (end - start) * share;
  return [at(from[0], to[0]), at(from[1], to[1]), at(from[2], to[2])];
}

const cubeLevels = [0, 95, 135, 175, 215, 255];

/** A colour of the cube (16 to 231) or of the grays (232 to 255) of a terminal of 256 colours. */
export function rgbOf256(index: number): Rgb {
  if (index >= 232) {
    const gray = 8 + (index - 232) * 10;
    return [gray, gray, gray];
  }
  const cube = index - 16;
  const level = (at: number) => cubeLevels[at % 6] ?? 0;
  return [level(Math.floor(cube / 36)), level(Math.floor(cube / 6)), level(cube)];
}

/** The number of the nearest of the 240 colours that each terminal of 256 draws alike. */
export function nearest256(rgb: Rgb): number {
  let [nearest, least] = [16, Infinity];
  for (let index = 16; index < 256; index += 1) {
    const other = rgbOf256(index);
    const away = rgb.reduce((sum, value, at) => sum + (value - (other[at] ?? 0)) ** 2, 0);
    if (away < least) [nearest, least] = [index, away];
  }
  return nearest;
}
