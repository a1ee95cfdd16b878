import { layoutText } from "../extraction/formats/pdf/pdf-layout.ts";
import type { TextRun } from "../extraction/formats/pdf/pdf-runs.ts";
import type { PageLayout, PlacedWord } from "../tables/word-places.ts";

/** A line of the engine's table: its words, from the left. */
type Line = PlacedWord[];

/** Rests of lines and stains, of which the engine is less sure than this, of 100. */
const stain = /^[|¦:;.,'‘’"~_=—–-]{1,2}$/;
const leastConfidence = 60;
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
  const lines: Line[] = [];
  for (const row of table.split("\n")) {
    const [level, , , , , , x, y, wide, high, confidence, text = ""] = row.split("\t");
    if (level === "1") [width, height] = [Number(wide), Number(high)];
    else if (level === "4") lines.push([]);
    if (level !== "5" || text.trim() === "") continue;
    if (stain.test(text) && Number(confidence) < leastConfidence) continue;
    const box = { x: Number(x), y: Number(y), width: Number(wide), height: Number(high) };
    lines.at(-1)?.push({ text: text.trim(), ...box });
  }
  const written = lines.filter((line) => line.length > 0);
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
    y: height - word.y - capitals * word.size,
    width: word.end - word.start,
    height: word.size,
  }));
  return { text, layout: { width, height, words: placed } };
}

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
    const { text, x, width } = word;
    const run = { text, x, y: height - baseline, width, size, endsLine: index === line.length - 1 };
    return run.endsLine ? [run] : [run, { ...run, text: " ", x: x + width, width: 0 }];
  });
}
