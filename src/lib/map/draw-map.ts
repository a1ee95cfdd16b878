import { BrailleCanvas, dotsAcross, dotsDown } from "./braille.ts";
import { windowAround, type MapPoint, type MapWindow } from "./window.ts";

/** A part of a line of the map: coast, or the marks of places. */
export interface MapPiece {
  readonly kind: "coast" | "places";
  readonly text: string;
}

export interface DrawnMap {
  readonly window: MapWindow;
  /** The lines from north to south; trailing blanks are left out. */
  readonly lines: readonly (readonly MapPiece[])[];
}

interface MapInput {
  readonly points: readonly MapPoint[];
  readonly coast: readonly (readonly MapPoint[])[];
  readonly columns: number;
  readonly rows: number;
  /** The part of the earth to show; by default the smallest one that has all points. */
  readonly window?: MapWindow | undefined;
  /** The coast in quarters of cells instead of Braille. */
  readonly isBlocks?: boolean | undefined;
}

const wholeCircle = 360;

/**
 * Draws points over coast lines with characters that every terminal draws one cell wide: `o` is a
 * place, a digit that many places in one cell, and `+` ten or more.
 */
export function drawMap(input: MapInput): DrawnMap {
  const { points, coast, columns, rows, window: given, isBlocks = false } = input;
  const canvas = new BrailleCanvas(columns, rows);
  const window = given ?? windowAround(points, canvas);
  const { west, east, south, north } = window;
  const toX = (longitude: number): number => ((longitude - west) / (east - west)) * canvas.width;
  const toY = (latitude: number): number => ((north - latitude) / (north - south)) * canvas.height;
  for (const line of coast) drawLine(canvas, line, { window, toX, toY });
  const counts = new Map<number, number>();
  for (const [longitude, latitude] of points) {
    const turned = longitude < west ? longitude + wholeCircle : longitude;
    // The last column and row also have the points on the edges.
    const column = Math.min(columns - 1, Math.floor(toX(turned) / dotsAcross));
    const row = Math.min(rows - 1, Math.floor(toY(latitude) / dotsDown));
    if (column < 0 || row < 0 || turned > east || latitude < south) continue;
    const cell = row * columns + column;
    counts.set(cell, (counts.get(cell) ?? 0) + 1);
  }
  return { window, lines: linesOf(canvas, counts, isBlocks) };
}

/** A window across 180 degrees shows the coasts of the next turn too. */
function drawLine(
  canvas: BrailleCanvas,
  line: readonly MapPoint[],
  to: {
    readonly window: MapWindow;
    readonly toX: (longitude: number) => number;
    readonly toY: (latitude: number) => number;
  },
): void {
  const { window, toX, toY } = to;
  for (const turn of [-wholeCircle, 0, wholeCircle]) {
    if (window.west >= 180 + turn || window.east <= turn - 180) continue;
    for (let at = 1; at < line.length; at += 1) {
      const [x1, y1] = line[at - 1] ?? [0, 0];
      const [x2, y2] = line[at] ?? [0, 0];
      // Natural Earth closes its areas along the edges of the map, which are no coast.
      const isEdge =
        Math.abs(x1 - x2) > 180 || (Math.abs(x1) >= 179.9 && x1 === x2) || Math.max(y1, y2) < -84;
      if (!isEdge) canvas.line(toX(x1 + turn), toY(y1), toX(x2 + turn), toY(y2));
    }
  }
}

function linesOf(
  canvas: BrailleCanvas,
  counts: ReadonlyMap<number, number>,
  isBlocks: boolean,
): MapPiece[][] {
  const coastAt = (column: number, row: number): string =>
    isBlocks ? canvas.block(column, row) : canvas.character(column, row);
  return Array.from({ length: canvas.rows }, (_row, row) => {
    const pieces: { kind: MapPiece["kind"]; text: string }[] = [];
    for (let column = 0; column < canvas.columns; column += 1) {
      const count = counts.get(row * canvas.columns + column);
      const kind = count === undefined ? "coast" : "places";
      const text = count === undefined ? coastAt(column, row) : markOf(count);
      const last = pieces.at(-1);
      if (last?.kind === kind) last.text += text;
      else pieces.push({ kind, text });
    }
    const last = pieces.at(-1);
    if (last?.kind === "coast") last.text = last.text.trimEnd();
    return pieces.filter(({ text }) => text !== "");
  });
}

function markOf(count: number): string {
  if (count === 1) return "o";
  return count < 10 ? String(count) : "+";
}
