/** The dots of a sixel picture as red, green and blue, as a terminal reads them. */
export interface ReadSixel {
  readonly width: number;
  readonly height: number;
  colourAt(x: number, y: number): string;
}

/** Reads the last whole sixel picture of a terminal's output; undefined without one. */
export function readSixel(output: string): ReadSixel | undefined {
  const found = [...output.matchAll(/\x1bP[\d;]*q"1;1;(\d+);(\d+)([^\x1b]*)\x1b\\/g)].at(-1);
  if (found === undefined) return undefined;
  const [, wide = "", high = "", body = ""] = found;
  const [width, height] = [Number(wide), Number(high)];
  const colours = new Map<string, string>();
  const dots = new Map<number, string>();
  let [x, top, colour] = [0, 0, ""];
  const put = (sign: string, count: number): void => {
    const bits = sign.charCodeAt(0) - 63;
    for (let step = 0; step < count; step += 1, x += 1) {
      for (let row = 0; row < 6; row += 1) {
        if ((bits >> row) & 1) dots.set((top + row) * width + x, colour);
      }
    }
  };
  for (const [whole, number, rgb, count, sign] of body.matchAll(
    /#(\d+)(?:;2;([\d;]+))?|!(\d+)([?-~])|[$?-~-]/g,
  )) {
    if (number !== undefined) {
      if (rgb === undefined) colour = colours.get(number) ?? "none";
      else colours.set(number, rgb);
    } else if (sign !== undefined) put(sign, Number(count));
    else if (whole === "$") x = 0;
    else if (whole === "-") [x, top] = [0, top + 6];
    else put(whole, 1);
  }
  return { width, height, colourAt: (at, y) => dots.get(y * width + at) ?? "none" };
}
