import { layoutText } from "../extraction/formats/pdf/pdf-layout.ts";
import type { TextRun } from "../extraction/formats/pdf/pdf-runs.ts";
import type { PageLayout, PlacedWord } from "../tables/word-places.ts";
import { joinValueColumns, type BlockLine } from "./value-columns.ts";

/** A line of the engine's table: its words, from the left. */
type Line = PlacedWord[];

/** Rests of lines and stains, of which the engine is less sure than this, of 100. */
const stain = /^[|¦:;.,'‘’"~_=—–-]{1,2}$/;
const leastConfidence = 60;
/** Words of which the engine is less sure are often wrong, above all those with digits. */
const sureConfidence = { words: 75, digits: 85 };
/** Ruling lines and specks that the engine took for letters. */
const rule = /^[|¦[\]]{1,2}$/;
const leastOfRule = 90;
const speck = /^\p{L}{1,2}$/u;
const leastOfSpeck = 30;

function isStain(text: string, confidence: number): boolean {
  return (
    (stain.test(text) && confidence < leastConfidence) ||
    (rule.test(text) && confidence < leastOfRule) ||
    (speck.test(text) && confidence < leastOfSpeck)
  );
}

/** The height of capitals, as a share of the size of a font. */
const capitals = 0.72;
const smallLetters = 0.52;
/** Sizes that differ by less are one size, since boxes depend on their letters. */
const sameSize = 1.3;
const withAscender = /[\p{Lu}\p{N}bdfhklt]/u;
const withDescender = /[gjpqyQ,;()[\]{}|/_]/;

/**
 * The text of a page with marked tables, and its words in the order of the text, from the engine's
 * table: level 1 is the page, 4 a line, 5 a word with its box and confidence.
 */
export function recognisedText(table: string): { text: string; layout: PageLayout } {
  let [width, height] = [0, 0];
  const found: BlockLine[] = [];
  for (const row of table.split("\n")) {
    const [kind, , block = "", , , , x, y, wide, high, confidence, text = ""] = row.split("\t");
    if (kind === "1") [width, height] = [Number(wide), Number(high)];
    else if (kind === "4") found.push({ block, words: [] });
    if (kind !== "5" || text.trim() === "") continue;
    if (isStain(text, Number(confidence))) continue;
    const box = { x: Number(x), y: Number(y), width: Number(wide), height: Number(high) };
    const isUnsure =
      Number(confidence) < sureConfidence[/\d/.test(text) ? "digits" : "words"] ? true : undefined;
    found.at(-1)?.words.push({ text: text.trim(), ...box, isUnsure });
  }
  const slope = slopeOf(found.map(({ words }) => words));
  const sunk = ({ x, width: wide }: { x: number; width: number }): number =>
    slope * (x + wide / 2 - width / 2);
  const level = found
    .filter(({ words }) => words.length > 0)
    .map(({ block, words }) => {
      return { block, words: words.map((word) => ({ ...word, y: word.y - sunk(word) })) };
    });
  const written = joinValueColumns(level);
  const sizes = written.map(sizeOf);
  const usual = sizes.toSorted((one, other) => one - other)[sizes.length >> 1] ?? 1;
  const runs = written.flatMap((line, index) => {
    const size = sizes[index] ?? usual;
    const isUsual = size < usual * sameSize && size > usual / sameSize;
    return runsOf(line, isUsual ? usual : size, height);
  });
  const { text, words } = layoutText(runs);
  const placed = words.map((word) => ({
    text: word.text,
    x: word.start,
    y:
      height -
      word.y -
      capitals * word.size +
      sunk({ x: word.start, width: word.end - word.start }),
    width: word.end - word.start,
    height: word.size,
    isUnsure: word.isUnsure,
  }));
  return { text, layout: { width, height, words: placed, isRecognised: true } };
}

/** The least sum of lengths of lines that show a slope, in widths of the widest one. */
const linesOfSlope = 2;

/**
 * The share by which lines sink to the right, as the page leans: the median of the lines, by the
 * words whose lower edge is the baseline. Labels and their values far at the right are at one
 * height.
 */
function slopeOf(lines: readonly Line[]): number {
  const slopes = lines.flatMap((line) => {
    const level = line.filter(({ text }) => !withDescender.test(text));
    const [first, last] = [level[0], level.at(-1)];
    if (first === undefined || last === undefined || first === last) return [];
    const length = last.x + last.width / 2 - first.x - first.width / 2;
    const sinks = last.y + last.height - first.y - first.height;
    return length > 0 ? [{ slope: sinks / length, length }] : [];
  });
  const all = slopes.reduce((sum, { length }) => sum + length, 0);
  const longest = Math.max(0, ...slopes.map(({ length }) => length));
  if (all < longest * linesOfSlope) return 0;
  let passed = 0;
  const sorted = slopes.toSorted((one, other) => one.slope - other.slope);
  const middle = sorted.find(({ length }) => (passed += length) * 2 >= all);
  return middle === undefined || Math.abs(middle.slope) > steepest ? 0 : middle.slope;
}

/** Steeper lines are turned before they are read. */
const steepest = 0.03;

function sizeOf(line: Line): number {
  const sizes = line.map((word) => {
    const above = withDescender.test(word.text) ? word.height * 0.78 : word.height;
    return above / (withAscender.test(word.text) ? capitals : smallLetters);
  });
  return Math.max(1, sizes.toSorted((one, other) => one - other)[sizes.length >> 1] ?? 1);
}

function runsOf(line: Line, size: number, height: number): TextRun[] {
  const level = line.filter(({ text }) => !withDescender.test(text));
  const bottoms = (level.length === 0 ? line : level).map((word) => word.y + word.height);
  const base = bottoms.toSorted((one, other) => one - other)[bottoms.length >> 1] ?? 0;
  const baseline = level.length === 0 ? base - 0.2 * size : base;
  return line.flatMap((word, index): TextRun[] => {
    const { text, x, width, isUnsure } = word;
    const endsLine = index === line.length - 1;
    const run = { text, x, y: height - baseline, width, size, endsLine, isUnsure };
    return run.endsLine ? [run] : [run, { ...run, text: " ", x: x + width, width: 0 }];
  });
}
