import type { Span } from "./find-pattern.ts";

/** A value next to its label; `confidence` is higher the closer they belong together. */
export interface LabelledPlace extends Span {
  readonly confidence: number;
}

interface Cell {
  readonly text: string;
  readonly start: number;
}

const sameCell = 0.92;
const nextCell = 0.92;
const belowInColumn = 0.88;
const nextLine = 0.82;
/** A value that may belong to another label. */
const doubtful = 0.75;
/** A label without a colon or tab before its value, such as "Total 12.50". */
const onlySpace = 0.75;

const longestLine = 2_000;
/** A longer text next to a label is a sentence. */
const longestValue = 300;
const linesBelow = 3;

/**
 * The values of labels, as they are configured, on a page: after a colon, a tab, `.` or `#` on the
 * same line, below in the column of the label, or on the next line. The best ones come first. A
 * cell that is a `known` label, as {@link plainLabel} writes it, is no value.
 */
export function findLabels(
  text: string,
  labels: readonly string[],
  known: ReadonlySet<string> = new Set(),
): LabelledPlace[] {
  const lines = cellsOfLines(text);
  const patterns = labels.map(labelPattern);
  const found = lines.flatMap((cells, row) =>
    cells.flatMap((cell, column) => {
      const rest = afterLabel(cell.text, patterns);
      return rest === undefined ? [] : valuesAt(lines, { row, column, rest }, known);
    }),
  );
  return found.toSorted(
    (one, other) => other.confidence - one.confidence || one.start - other.start,
  );
}

/** The cells of each line, which tabs or three spaces divide. */
function cellsOfLines(text: string): Cell[][] {
  let lineStart = 0;
  return text.split("\n").map((line) => {
    const cells: Cell[] = [];
    if (line.length <= longestLine) {
      for (const match of line.matchAll(/(?:[^\t ]| {1,2}(?=[^\t ]))+/g)) {
        cells.push({ text: match[0], start: lineStart + match.index });
      }
    }
    lineStart += line.length + 1;
    return cells.map((cell) => trimmed(cell));
  });
}

function trimmed({ text, start }: Cell): Cell {
  return { text: text.trim(), start: start + text.length - text.trimStart().length };
}

/** The label at the start of a cell, whatever its case, spaces and signs at the end. */
function labelPattern(label: string): RegExp {
  const words = label
    .trim()
    .replace(/[\s.:#]+$/, "")
    .split(/\s+/);
  const escaped = words.map((word) => RegExp.escape(word).replaceAll("\\.", "\\.?"));
  return new RegExp(`^${escaped.join("\\s+")}(?![\\p{L}\\p{N}])(?:\\s*[.:#\u2026])*\\s*`, "iu");
}

/** The length of a cell's label with the signs after it, and if a colon or `#` ends it. */
function afterLabel(text: string, patterns: readonly RegExp[]) {
  const lengths = patterns.map((pattern) => pattern.exec(text)?.[0] ?? "");
  const longest = lengths.reduce((most, each) => (each.length > most.length ? each : most), "");
  return longest === ""
    ? undefined
    : { length: longest.length, isMarked: /[:#\u2026]\s*$|\.{2,}\s*$/.test(longest) };
}

interface LabelAt {
  readonly row: number;
  readonly column: number;
  readonly rest: { readonly length: number; readonly isMarked: boolean };
}

function valuesAt(
  lines: readonly Cell[][],
  { row, column, rest }: LabelAt,
  known: ReadonlySet<string>,
): LabelledPlace[] {
  const cells = lines[row] ?? [];
  const cell = cells[column];
  if (cell === undefined) return [];
  const own = trimmed({
    text: cell.text.slice(rest.length),
    start: cell.start + rest.length,
  });
  if (own.text !== "") {
    if (rest.isMarked) return placesOf([own], sameCell);
    // Words after a label without a colon are another label, or a sentence.
    const [first = ""] = own.text.split(/\s/);
    return /\d/.test(first) ? placesOf([own], onlySpace) : [];
  }
  const below = belowOf(lines, row, column);
  const next = cells[column + 1];
  if (next === undefined) {
    const isHeading = cells.length > 1 && isHeadingRow(lines, row);
    return placesOf([below], cells.length === 1 ? nextLine : isHeading ? belowInColumn : doubtful);
  }
  if (isLabel(next.text) || known.has(plainLabel(next.text))) {
    return placesOf([below], belowInColumn);
  }
  if (!isHeadingRow(lines, row)) return placesOf([next], nextCell);
  // Two cells without digits are two labels above their values, or a label and its value.
  if (cells.length > 2) return placesOf([below], belowInColumn);
  return [...placesOf([next], doubtful), ...placesOf([below], doubtful)];
}

function placesOf(cells: readonly (Cell | undefined)[], confidence: number): LabelledPlace[] {
  return cells.flatMap((cell) =>
    cell === undefined || cell.text === "" || cell.text.length > longestValue || isLabel(cell.text)
      ? []
      : [{ start: cell.start, end: cell.start + cell.text.length, confidence }],
  );
}

/** A label in lower case, with single spaces and without the signs after it. */
export function plainLabel(label: string): string {
  return label
    .trim()
    .toLowerCase()
    .replaceAll(/[\s.]+/g, " ")
    .replace(/[\s:#]+$/, "");
}

/** True for a text that ends as a label does. */
function isLabel(text: string): boolean {
  return /[:#]$/.test(text);
}

/** True for a line of several labels whose values are below: it has no digit, and they have. */
function isHeadingRow(lines: readonly Cell[][], row: number): boolean {
  const cells = lines[row] ?? [];
  const values = lines[row + 1] ?? [];
  return (
    cells.length > 1 &&
    values.length === cells.length &&
    cells.every(({ text }) => !/\d/.test(text)) &&
    values.some(({ text }) => /\d/.test(text))
  );
}

/** The cell in the same column of the next line that has one. */
function belowOf(lines: readonly Cell[][], row: number, column: number): Cell | undefined {
  const count = (lines[row] ?? []).length;
  for (const cells of lines.slice(row + 1, row + 1 + linesBelow)) {
    if (cells.length === 0) continue;
    return count === 1 || cells.length === count ? cells[column] : undefined;
  }
  return undefined;
}
