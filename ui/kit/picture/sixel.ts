import type { IndexedPicture } from "./indexed-png.ts";

/** Rows of dots in one row of sixels. */
const bandRows = 6;
/** The character for no dot; each dot of a column adds its bit. */
const none = 63;
/** A shorter run is written as it is. */
const leastRun = 4;

/** The picture in the DEC's sixel format, in its size in dots. */
export function sixelPicture({ width, height, palette, dots }: IndexedPicture): string {
  const parts = [`\x1bP0;1q"1;1;${width};${height}`];
  const percent = (at: number) => Math.round(((palette[at] ?? 0) * 100) / 255);
  for (let colour = 0; colour * 3 < palette.length; colour += 1) {
    const at = colour * 3;
    parts.push(`#${colour};2;${percent(at)};${percent(at + 1)};${percent(at + 2)}`);
  }
  for (let top = 0; top < height; top += bandRows) {
    const band = bandColours({ width, height, palette, dots }, top);
    parts.push([...band].map(([colour, row]) => `#${colour}${runs(row)}`).join("$"), "-");
  }
  parts.push("\x1b\\");
  return parts.join("");
}

/** The sixels of each colour that a row of sixels has. */
function bandColours(
  { width, height, dots }: IndexedPicture,
  top: number,
): ReadonlyMap<number, Uint8Array> {
  const found = new Map<number, Uint8Array>();
  const rows = Math.min(bandRows, height - top);
  for (let y = 0; y < rows; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const colour = dots[(top + y) * width + x] ?? 0;
      let row = found.get(colour);
      if (row === undefined) {
        row = new Uint8Array(width);
        found.set(colour, row);
      }
      row[x] = (row[x] ?? 0) | (1 << y);
    }
  }
  return found;
}

/** The characters of a row of sixels; empty ones at its end are left out. */
function runs(row: Uint8Array): string {
  let text = "";
  let end = row.length;
  while (end > 0 && row[end - 1] === 0) end -= 1;
  for (let at = 0; at < end;) {
    const value = row[at] ?? 0;
    let next = at + 1;
    while (next < end && row[next] === value) next += 1;
    const sign = String.fromCharCode(none + value);
    text += next - at < leastRun ? sign.repeat(next - at) : `!${next - at}${sign}`;
    at = next;
  }
  return text;
}
