import { counted } from "#lib/text/counted.ts";
import type { StyledLine } from "../text/styled-lines.ts";
import { fitText, wrapText } from "../text/text-layout.ts";
import type { Token } from "../theme/skin.ts";
import type { Side, ThreeVersions } from "./merge.ts";

/** The least width at which the columns are side by side. */
const sideBySideFrom = 90;
/** Characters that are wrapped, of a text that may have a million. */
const longestText = 4_000;
/** Equal characters that are shown before the first difference. */
const leadCharacters = 40;

/**
 * The base, my and their value of one property, in at most `height` lines. Long values begin just
 * before the first difference.
 */
export function comparisonLines(
  versions: ThreeVersions,
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
  const texts: Texts = [
    valueText(versions.base),
    valueText(versions.mine),
    valueText(versions.theirs),
  ];
  const wrap = (values: readonly string[]) => values.map((text) => wrapText(text, column - 2));
  const fits = (columns: readonly (readonly string[])[]): boolean => {
    const lengths = columns.map(({ length }) => length);
    return isWide
      ? Math.max(...lengths) < height
      : lengths.reduce((sum, length) => sum + length, 0) <= height;
  };
  const areShort = texts.every(({ length }) => length <= longestText);
  const whole = areShort ? wrap(texts) : undefined;
  const columns = whole !== undefined && fits(whole) ? whole : wrap(cutAtDifference(texts));
  return isWide ? sideBySide(columns, looks, column, height) : below(columns, looks, height);
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

function sideBySide(
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

/** A value as text, also one that is absent. */
export function valueText(value: unknown): string {
  if (value === undefined) return "(absent)";
  const text = typeof value === "string" ? value : JSON.stringify(value, undefined, 2);
  return text === "" ? "(empty)" : text;
}

type Texts = readonly [base: string, mine: string, theirs: string];

/** Cuts long texts: the base at its first difference, the others where they differ. */
export function cutAtDifference([base, mine, theirs]: Texts): string[] {
  const fromBase = commonLength([base, mine, theirs]);
  const fromEachOther = mine === theirs ? fromBase : commonLength([mine, theirs]);
  return [
    cutBefore(fromBase, base),
    cutBefore(fromEachOther, mine),
    cutBefore(fromEachOther, theirs),
  ];
}

function cutBefore(difference: number, text: string): string {
  const start = Math.max(0, difference - leadCharacters);
  const shown = text.slice(start, start + longestText).toWellFormed();
  return (start > 0 ? "…" : "") + shown + (start + longestText < text.length ? "…" : "");
}

/** The number of equal characters at the start, by binary search: each frame needs it. */
function commonLength([first = "", ...others]: readonly string[]): number {
  let [equal, different] = [0, Math.min(first.length, ...others.map(({ length }) => length)) + 1];
  while (different - equal > 1) {
    const middle = Math.floor((equal + different) / 2);
    const start = first.slice(0, middle);
    if (others.every((text) => text.startsWith(start))) equal = middle;
    else different = middle;
  }
  return equal;
}

/** Divides `height` lines between texts of these lengths, evenly unless a text needs fewer. */
function sharesOf(height: number, lengths: readonly number[]): number[] {
  const shares = lengths.map(() => 1);
  for (let left = height - lengths.length; left > 0; left -= 1) {
    const open = lengths.flatMap((length, index) => ((shares[index] ?? 0) < length ? [index] : []));
    const [next] = open.toSorted((a, b) => (shares[a] ?? 0) - (shares[b] ?? 0));
    if (next === undefined) break;
    shares[next] = (shares[next] ?? 0) + 1;
  }
  return shares;
}

function shortened(lines: readonly string[], height: number): string[] {
  if (lines.length <= height) return [...lines];
  if (height <= 1) return lines.slice(0, 1);
  const more = lines.length - height + 1;
  return [...lines.slice(0, height - 1), `… ${counted(more, "more line")}`];
}
