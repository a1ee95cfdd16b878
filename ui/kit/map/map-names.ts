import type { DrawnMap } from "#lib/map/draw-map.ts";
import type { MapPoint } from "#lib/map/window.ts";
import type { Span, StyledLine } from "../text/styled-lines.ts";
import { clipText, textWidth } from "../text/text-layout.ts";

/** More places than these say nothing by their names. */
const mostNames = 300;
const widestName = 24;
const wholeCircle = 360;
const blank = " ";

interface Cell {
  readonly text: string;
  readonly as: Span["as"];
}

function cellsOf(line: DrawnMap["lines"][number] | undefined, width: number): Cell[] {
  const drawn = (line ?? []).flatMap(({ kind, text }) =>
    Array.from(text, (each): Cell => ({ text: each, as: kind === "coast" ? "quiet" : "key" })),
  );
  const rest = Math.max(0, width - drawn.length);
  return [...drawn, ...Array.from({ length: rest }, (): Cell => ({ text: blank, as: "quiet" }))];
}

/** The cells as spans; blanks at the end are left out. */
function spansOf(cells: readonly Cell[]): StyledLine {
  const spans: { text: string; as: Span["as"] }[] = [];
  for (const { text, as } of cells) {
    const last = spans.at(-1);
    if (last !== undefined && last.as === as) last.text += text;
    else spans.push({ text, as });
  }
  const last = spans.at(-1);
  if (last !== undefined) last.text = last.text.trimEnd();
  return spans.filter(({ text }) => text !== "");
}

/** Puts a name into the blank cells from `column` on; false where they are not all blank. */
function put(cells: Cell[], column: number, name: string): boolean {
  const width = textWidth(name);
  const room = cells.slice(column, column + width + 1);
  if (column < 0 || room.length <= width || room.some(({ text }) => text !== blank)) return false;
  // The name is one cell, and the other ones that it covers are empty.
  cells.splice(
    column,
    width,
    { text: name, as: "text" },
    ...Array.from({ length: width - 1 }, (): Cell => ({ text: "", as: "text" })),
  );
  return true;
}

/** The lines of a map with the names of places that have room next to their mark. */
export function namedLines(
  { lines, window }: DrawnMap,
  { points, names = [] }: { points: readonly MapPoint[]; names?: readonly string[] | undefined },
  width: number,
  height: number,
): StyledLine[] {
  const rows = Array.from({ length: height }, (_, row) => cellsOf(lines[row], width));
  if (names.length > mostNames) return rows.map(spansOf);
  const { west, east, south, north } = window;
  for (const [index, [longitude, latitude]] of points.entries()) {
    const turned = longitude < west ? longitude + wholeCircle : longitude;
    const column = Math.floor(((turned - west) / (east - west)) * width);
    const cells = rows[Math.floor(((north - latitude) / (north - south)) * height)];
    const name = clipText(names[index] ?? "", widestName);
    if (name === "" || cells?.[column]?.as !== "key" || latitude < south) continue;
    if (!put(cells, column + 2, name)) put(cells, column - 1 - textWidth(name), name);
  }
  return rows.map(spansOf);
}
