import type { PageLayout, PlacedWord } from "../../../tables/word-places.ts";
import { joinTexts } from "../../../tables/table-marks.ts";
import { layoutText } from "./pdf-layout.ts";
import type { RunWord } from "./tables/pdf-tables.ts";
import type { PageRun } from "./pdf-runs.ts";
import type { StructuredRuns } from "./structure-order.ts";

/** Corners of a page, in its own units, y upwards: left, bottom, right, top. */
type PageBox = readonly [number, number, number, number];
type Point = readonly [number, number];

/** The letters stand above their baseline by this share of their size. */
const heightAboveBaseline = 0.8;

/**
 * The text of a page whose lines may run in several directions. Lines of one direction are laid out
 * together, as if the page were turned upright for them; the direction with most letters comes
 * first, and its frame is that of all places.
 */
export function layoutDirections(
  { runs, hasStructure }: StructuredRuns,
  box: PageBox,
): { text: string; layout: PageLayout } {
  const groups = [...Map.groupBy(runs, ({ angle }) => angle)].toSorted(
    ([, one], [, other]) => lettersOf(other) - lettersOf(one),
  );
  const main = groups[0]?.[0] ?? 0;
  const [left, bottom, right, top] = box;
  const corners: readonly Point[] = [
    [left, bottom],
    [left, top],
    [right, bottom],
    [right, top],
  ];
  const turned = corners.map((corner) => turnedBack(corner, main));
  const [xs, ys] = [turned.map(([x]) => x), turned.map(([, y]) => y)];
  const origin: Point = [Math.min(...xs), Math.max(...ys)];
  const texts: string[] = [];
  const words: PlacedWord[] = [];
  for (const [angle, own] of groups) {
    const { text, words: found } = layoutText(angle === 0 ? own : own.map(upright), {
      hasStructure,
    });
    if (text !== "") texts.push(text);
    for (const word of found) words.push(placed(word, { angle: angle - main, origin }));
  }
  return {
    text: joinTexts(texts, "\n\n"),
    layout: {
      width: Math.max(...xs) - origin[0],
      height: origin[1] - Math.min(...ys),
      words,
    },
  };
}

function lettersOf(runs: readonly PageRun[]): number {
  return runs.reduce((sum, { text }) => sum + text.length, 0);
}

function upright(run: PageRun): PageRun {
  const [x, y] = turnedBack([run.x, run.y], run.angle);
  return { ...run, x, y };
}

/** A point of the page in the frame of text that is turned by an angle. */
function turnedBack([x, y]: Point, degrees: number): Point {
  if (degrees === 0) return [x, y];
  const radians = (degrees * Math.PI) / 180;
  // A quarter of a turn is exact, so that lines at one height stay at one height.
  const [cosine = 1, sine = 0] = [Math.cos(radians), Math.sin(radians)].map(
    (value) => Math.round(value * 1e12) / 1e12,
  );
  return [x * cosine + y * sine, y * cosine - x * sine];
}

/** The box of a word in the main frame; `angle` is between its own frame and that one. */
function placed(
  { text, start, end, y, size }: RunWord,
  { angle, origin }: { angle: number; origin: Point },
): PlacedWord {
  const high = y + heightAboveBaseline * size;
  // Nearly all words of nearly all pages.
  if (angle === 0) {
    const [from, to] = [Math.min(start, end), Math.max(start, end)];
    const [low, top] = [Math.min(high - size, high), Math.max(high - size, high)];
    return {
      text,
      x: from - origin[0],
      y: origin[1] - top,
      width: to - from,
      height: top - low,
    };
  }
  const corners: readonly Point[] = [
    [start, y],
    [end, y],
    [start, high],
    [end, high],
  ];
  const turned = corners.map((corner) => turnedBack(corner, -angle));
  const [xs, ys] = [turned.map(([x]) => x), turned.map(([, each]) => each)];
  const [x, top] = [Math.min(...xs), Math.max(...ys)];
  return {
    text,
    x: x - origin[0],
    y: origin[1] - top,
    width: Math.max(...xs) - x,
    height: top - Math.min(...ys),
  };
}
