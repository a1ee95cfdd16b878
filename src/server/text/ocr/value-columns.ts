import type { PlacedWord } from "../tables/word-places.ts";

/** A line that the engine found, with the number of its block. */
export interface BlockLine {
  readonly block: string;
  readonly words: PlacedWord[];
}

/** Words of a line of labels or of values; lines of running text have more. */
const wordsAtMost = 6;
/** The share of values among the lines of their block. */
const valuesAtLeast = 0.6;
/** The share of words with a digit in a value, which a line of running text has not. */
const digitsAtLeast = 0.3;
/** Lower edges of one line differ by less, as a share of the height of its words. */
const sameLine = 0.5;

/**
 * Joins values with their labels where the engine took both for columns of text: a line of a block
 * of values continues the short line to its left that is at its height.
 */
export function joinValueColumns(lines: readonly BlockLine[]): PlacedWord[][] {
  const blocks = Map.groupBy(lines, ({ block }) => block);
  const isShort = new Map<string, boolean>();
  const hasValues = new Map<string, boolean>();
  for (const [block, all] of blocks) {
    const words = all.reduce((sum, line) => sum + line.words.length, 0);
    const values = all.filter(isValue).length;
    isShort.set(block, words <= wordsAtMost * all.length);
    hasValues.set(block, values >= valuesAtLeast * all.length);
  }
  const joined = lines.map((line) => ({ ...line, words: [...line.words] }));
  const taken = new Set<BlockLine>();
  const short = joined.filter(({ block }) => isShort.get(block) === true);
  for (const line of short.toSorted((one, other) => startOf(one) - startOf(other))) {
    if (hasValues.get(line.block) !== true) continue;
    const label = short
      .filter((each) => !taken.has(each) && each.block !== line.block && isBefore(each, line))
      .toSorted((one, other) => endOf(other) - endOf(one))[0];
    if (label === undefined) continue;
    label.words.push(...line.words);
    // Further values follow in the line of their label.
    taken.add(line);
  }
  return joined.filter((line) => !taken.has(line)).map(({ words }) => words);
}

function isValue({ words }: BlockLine): boolean {
  return words.filter(({ text }) => /\d/.test(text)).length >= digitsAtLeast * words.length;
}

function startOf({ words }: BlockLine): number {
  return words[0]?.x ?? 0;
}

function endOf({ words }: BlockLine): number {
  const last = words.at(-1);
  return last === undefined ? 0 : last.x + last.width;
}

/** True if a line ends before another one that is at the same height. */
function isBefore(one: BlockLine, other: BlockLine): boolean {
  const [last, first] = [one.words.at(-1), other.words[0]];
  if (last === undefined || first === undefined || last.x + last.width > first.x) return false;
  const height = Math.min(last.height, first.height);
  const middle = (word: PlacedWord): number => word.y + word.height / 2;
  return Math.abs(middle(last) - middle(first)) < sameLine * height;
}
