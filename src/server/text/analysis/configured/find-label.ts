import type { PageTable } from "../../tables/page-table.ts";
import type { Span } from "./find-pattern.ts";
import { cellsOfLines, lettersOf, trimmed, type LabelCell as Cell } from "./label-cells.ts";

/** A value next to its label; `confidence` is higher the closer they belong together. */
export interface LabelledPlace extends Span {
  readonly confidence: number;
  /** True if only a space is between label and value: the value's type must confirm it. */
  readonly isUnmarked?: boolean;
}

const sameCell = 0.92;
const nextCell = 0.92;
const belowInColumn = 0.88;
const nextLine = 0.82;
/** A value that may belong to another label. */
const doubtful = 0.75;
/** A label without a colon or tab before its value, such as "Total 12.50". */
const onlySpace = 0.75;
/** Words after a label without a sign, such as "Customer Ada Marsh". */
const onlyWords = 0.55;
/** A cell of a table with several rows, whose headings are labels of a column. */
const ofItems = 0.45;

/** A longer text next to a label is a sentence. */
const longestValue = 300;
const linesBelow = 3;
const wordsOfName = 6;

/** Knowledge about a page that tells labels from values. */
export interface LabelContext {
  /** Labels of all fields, as {@link plainLabel} writes them: none of them is a value. */
  readonly known?: ReadonlySet<string> | undefined;
  readonly tables?: readonly PageTable[] | undefined;
}

/**
 * The values of labels, as they are configured, on a page: after a colon, a tab, `.` or `#` on the
 * same line, below in the column of the label, or on the next line. The best ones come first.
 */
export function findLabels(
  text: string,
  labels: readonly string[],
  { known = new Set(), tables }: LabelContext = {},
): LabelledPlace[] {
  const lines = cellsOfLines(text, known, tables);
  const patterns = labels.map(labelPattern);
  const found = lines.flatMap((cells, row) =>
    cells.flatMap((cell, column) => [
      ...placesIn(lines, { row, column }, patterns, known),
      ...placesInLines(cell, patterns, known),
    ]),
  );
  return found.toSorted(
    (one, other) => other.confidence - one.confidence || one.start - other.start,
  );
}

interface At {
  readonly row: number;
  readonly column: number;
}

/** The values of a cell that begins with a label, or with the first words of one. */
function placesIn(
  lines: readonly Cell[][],
  at: At,
  patterns: readonly RegExp[],
  known: ReadonlySet<string>,
): LabelledPlace[] {
  const cell = lines[at.row]?.[at.column];
  if (cell === undefined) return [];
  const rest = afterLabel(cell.text, patterns);
  if (rest !== undefined) return valuesAt(lines, { ...at, rest }, known);
  return valuesOfBroken(lines, at, patterns);
}

/** The values of labels in further lines of a cell, each on its line or on the next one. */
function placesInLines(
  { text, start, column }: Cell,
  patterns: readonly RegExp[],
  known: ReadonlySet<string>,
): LabelledPlace[] {
  const first = text.indexOf("\n");
  if (first < 0) return [];
  const inside = cellsOfLines(text.slice(first + 1), known).map((cells) =>
    cells.map((cell) => ({ ...cell, start: cell.start + start + first + 1, column })),
  );
  return inside.flatMap((cells, row) =>
    cells.flatMap((_cell, at) => placesIn(inside, { row, column: at }, patterns, known)),
  );
}

/** The label at the start of a cell, whatever its case, spaces and signs at the end. */
function labelPattern(label: string): RegExp {
  const words = label
    .trim()
    .replace(/[\s.:#]+$/, "")
    .split(/\s+/);
  const escaped = words.map((word) => lettersOf(word).replaceAll("\\.", "\\.?"));
  const explained = String.raw`(?:\s?\([^()\n]{1,40}\))?`;
  return new RegExp(
    `^${escaped.join("\\s+")}(?![\\p{L}\\p{N}])${explained}(?:\\s*[.:#\u2026])*\\s*`,
    "iu",
  );
}

/** The length of a cell's label with the signs after it, and if a colon or `#` ends it. */
function afterLabel(text: string, patterns: readonly RegExp[]) {
  const lengths = patterns.map((pattern) => pattern.exec(text)?.[0] ?? "");
  const longest = lengths.reduce((most, each) => (each.length > most.length ? each : most), "");
  return longest === ""
    ? undefined
    : { length: longest.length, isMarked: /[:#\u2026\u00b0]\s*$|\.{2,}\s*$/.test(longest) };
}

interface LabelAt extends At {
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
  const label = cell.text.slice(0, rest.length);
  const [first = ""] = cell.text.slice(rest.length).split("\n");
  const own = trimmed({ ...cell, text: first, start: cell.start + rest.length });
  if (own.text !== "") {
    if (known.has(plainLabel(own.text))) return [];
    if (label.includes("\n")) return placesOf([own], belowInColumn);
    return rest.isMarked ? placesOf([own], sameCell) : unmarked(own);
  }
  const below = belowOf(lines, row, column);
  const isItem = isOfItems(lines, row);
  const next = cells[column + 1];
  if (next === undefined) {
    const isHeading = cells.length > 1 && isHeadingRow(lines, row);
    const sure = cells.length === 1 ? nextLine : isHeading ? belowInColumn : doubtful;
    return placesOf([below], isItem ? ofItems : sure);
  }
  if (isLabel(next.text) || known.has(plainLabel(next.text))) {
    return placesOf([below], isItem ? ofItems : belowInColumn);
  }
  if (areBlocks(lines, row, column)) return placesOf([below], doubtful);
  if (!isHeadingRow(lines, row)) return placesOf([next], isItem ? ofItems : nextCell);
  // Two cells without digits are two labels above their values, or a label and its value.
  if (cells.length > 2) return placesOf([below], isItem ? ofItems : belowInColumn);
  return [...placesOf([next], doubtful), ...placesOf([below], doubtful)];
}

/** A text after a label and a space: a value with a digit, a code, a name, or an amount. */
function unmarked(own: Cell): LabelledPlace[] {
  const words = own.text.split(/\s+/);
  const [first = "", second = ""] = words;
  if (/\d/.test(first)) return placesOf([own], onlySpace);
  if (/^[\p{Lu}\p{Sc}]{1,4}$/u.test(first) && /\d/.test(second)) return placesOf([own], onlySpace);
  const isName = words.length <= wordsOfName && words.every((word) => /^[\p{Lu}\d&]/u.test(word));
  const confidence = isName && !/[.:;?!]$/.test(own.text) ? onlyWords : 0;
  return placesOf([own], confidence).map((place) => ({ ...place, isUnmarked: true }));
}

/** The values of a label whose last words are on the next line, in its column. */
function valuesOfBroken(
  lines: readonly Cell[][],
  { row, column }: At,
  patterns: readonly RegExp[],
): LabelledPlace[] {
  const cell = lines[row]?.[column];
  const below = belowOf(lines, row, column);
  if (cell === undefined || below === undefined || /\d/.test(cell.text)) return [];
  const joined = `${cell.text} ${below.text}`;
  const rest = afterLabel(joined, patterns);
  if (rest === undefined || rest.length < cell.text.length + 2) return [];
  const after = rest.length - cell.text.length - 1;
  const own = trimmed({ ...below, text: below.text.slice(after), start: below.start + after });
  if (own.text !== "") return rest.isMarked ? placesOf([own], doubtful) : unmarked(own);
  const lineBelow = lines.findIndex((cells) => cells.includes(below));
  const next = lines[row]?.[column + 1] ?? lines[lineBelow]?.[column + 1];
  return placesOf([next ?? belowOf(lines, lineBelow, column)], doubtful);
}

function placesOf(cells: readonly (Cell | undefined)[], confidence: number): LabelledPlace[] {
  return cells.flatMap((cell) => {
    if (cell === undefined) return [];
    const [text = ""] = cell.text.split("\n");
    return text === "" || text.length > longestValue || isLabel(text)
      ? []
      : [{ start: cell.start, end: cell.start + text.trimEnd().length, confidence }];
  });
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

/** True for labels above blocks such as addresses: their next lines have words, then a digit. */
function areBlocks(lines: readonly Cell[][], row: number, column: number): boolean {
  const block = lines.slice(row, row + 1 + linesBelow);
  const [label = [], ...below] = block;
  if (label.length < 2 || below.some((cells) => cells.length !== label.length)) return false;
  const hasDigit = ({ [column]: cell }: readonly Cell[]): boolean => /\d/.test(cell?.text ?? "");
  return label.every(({ text }) => !/\d/.test(text)) && below.slice(1).every(hasDigit);
}

const columnsOfItems = 3;
const itemsAtMost = 200;

/**
 * True for a row of a table of items: all its columns are filled, and so are those of the headings
 * and of another row. A cell in it is a value of its column, not of the label in the first one.
 */
function isOfItems(lines: readonly Cell[][], row: number): boolean {
  const count = lines[row]?.length ?? 0;
  if (count < columnsOfItems) return false;
  let first = row;
  while (row - first < itemsAtMost && lines[first - 1]?.length === count) first -= 1;
  if (!isHeadingRow(lines, first)) return false;
  return row - first > 1 || [first + 1, first + 2].every((at) => lines[at]?.length === count);
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
