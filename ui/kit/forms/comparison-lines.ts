import { counted } from "#lib/counted.ts";
import type { StyledLine } from "../text/styled-lines.ts";
import { fitText, wrapText } from "../text/text-layout.ts";
import type { Token } from "../theme/theme.ts";
import type { Side, Threefold } from "./merge.ts";

/** Side by side from here on, else one above the other. */
const sideBySideFrom = 90;
/** Characters that are laid out at once, of a text that may be a million long. */
const longestText = 4_000;
/** What is shown of the same before the first difference, in characters. */
const leadCharacters = 40;

/**
 * What was, mine and theirs of one property, in at most `height` lines: each of them has its share,
 * and of long ones it is the place where they begin to differ.
 */
export function comparisonLines(
  three: Threefold,
  side: Side | undefined,
  { width, height }: { readonly width: number; readonly height: number },
): StyledLine[] {
  const looks: readonly Token[] = [
    "quiet",
    side === "mine" ? "good" : "text",
    side === "theirs" ? "good" : "text",
  ];
  const isWide = width >= sideBySideFrom;
  const column = isWide ? Math.floor((width - 2) / 3) : width - 8;
  const texts: Texts = [valueText(three.base), valueText(three.mine), valueText(three.theirs)];
  const laidOut = (some: readonly string[]) => some.map((text) => wrapText(text, column - 2));
  const fits = (columns: readonly (readonly string[])[]): boolean => {
    const lengths = columns.map(({ length }) => length);
    return isWide
      ? Math.max(...lengths) < height
      : lengths.reduce((sum, length) => sum + length, 0) <= height;
  };
  const areShort = texts.every(({ length }) => length <= longestText);
  const whole = areShort ? laidOut(texts) : undefined;
  const columns = whole !== undefined && fits(whole) ? whole : laidOut(fromTheDifference(texts));
  return isWide ? beside(columns, looks, column, height) : below(columns, looks, height);
}

const titles = ["base", "mine", "theirs"];

function below(
  columns: readonly (readonly string[])[],
  looks: readonly Token[],
  height: number,
): StyledLine[] {
  const shares = sharesOf(
    height,
    columns.map(({ length }) => length),
  );
  return columns.flatMap((lines, index): StyledLine[] =>
    shortened(lines, shares[index] ?? 1).map((line, row) => [
      { text: ` ${fitText(row === 0 ? (titles[index] ?? "") : "", 8)}`, as: "heading" },
      { text: line, as: looks[index] },
    ]),
  );
}

function beside(
  columns: readonly (readonly string[])[],
  looks: readonly Token[],
  width: number,
  height: number,
): StyledLine[] {
  const shown = columns.map((lines) => shortened(lines, height - 1));
  const tallest = Math.max(...shown.map(({ length }) => length));
  return [
    titles.map((title) => ({ text: fitText(` ${title.toUpperCase()}`, width), as: "heading" })),
    ...Array.from({ length: tallest }, (_, row): StyledLine =>
      shown.map((lines, index) => ({
        text: fitText(` ${lines[row] ?? ""}`, width),
        as: looks[index],
      })),
    ),
  ];
}

function valueText(value: unknown): string {
  if (value === undefined) return "(not there)";
  const text = typeof value === "string" ? value : JSON.stringify(value, undefined, 2);
  return text === "" ? "(empty)" : text;
}

/** What was, mine and theirs. */
type Texts = readonly [base: string, mine: string, theirs: string];

/**
 * Long texts without most of what all of them begin with, and without what comes far behind it. The
 * two that are chosen between may go on alike where the one before them was another already.
 */
function fromTheDifference([base, mine, theirs]: Texts): string[] {
  const fromBase = commonLength([base, mine, theirs]);
  const fromEachOther = mine === theirs ? fromBase : commonLength([mine, theirs]);
  return [
    shortlyBefore(fromBase, base),
    shortlyBefore(fromEachOther, mine),
    shortlyBefore(fromEachOther, theirs),
  ];
}

function shortlyBefore(difference: number, text: string): string {
  const start = Math.max(0, difference - leadCharacters);
  const shown = text.slice(start, start + longestText).toWellFormed();
  return (start > 0 ? "…" : "") + shown + (start + longestText < text.length ? "…" : "");
}

/** How many characters all begin with alike; found by halves, since it is asked for each frame. */
function commonLength([first = "", ...others]: readonly string[]): number {
  let [same, other] = [0, Math.min(first.length, ...others.map(({ length }) => length)) + 1];
  while (other - same > 1) {
    const middle = Math.floor((same + other) / 2);
    const beginning = first.slice(0, middle);
    if (others.every((text) => text.startsWith(beginning))) same = middle;
    else other = middle;
  }
  return same;
}

/** Lines for each of them: what one does not need the others have. */
function sharesOf(height: number, wanted: readonly number[]): number[] {
  const shares = wanted.map(() => 1);
  for (let left = height - wanted.length; left > 0; left -= 1) {
    // The one that has the fewest of those that still want some.
    const [next] = shares
      .map((share, index) => ({ share, index }))
      .filter(({ share, index }) => share < (wanted[index] ?? 0))
      .toSorted((one, other) => one.share - other.share);
    if (next === undefined) break;
    shares[next.index] = next.share + 1;
  }
  return shares;
}

function shortened(lines: readonly string[], height: number): string[] {
  if (lines.length <= height) return [...lines];
  if (height <= 1) return lines.slice(0, 1);
  const more = lines.length - height + 1;
  return [...lines.slice(0, height - 1), `… ${counted(more, "more line")}`];
}
