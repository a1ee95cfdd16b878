import type { PageTable } from "../../tables/page-table.ts";
import type { Span } from "./find-pattern.ts";
import {
  areBlocks,
  cellsBelow,
  hasDigit,
  isHeadingRow,
  isOfItems,
  withCurrency,
  type At,
} from "./cells-around.ts";
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
  return found
    .flatMap(({ isOfNumber, ...place }) => {
      if (isOfNumber !== true || /\d/.test(text.slice(place.start, place.end))) return place;
      return place.confidence < sameCell ? [] : { ...place, confidence: ofItems };
    })
    .toSorted((one, other) => other.confidence - one.confidence || one.start - other.start);
}

interface Candidate extends LabelledPlace {
  /** The label is that of a number, whose value has a digit. */
  readonly isOfNumber?: boolean;
}

const ofNumber =
  /(?:^|[\s-])(?:no|nr|num|number|n[°ºo]|n\.\s?[°º]|id)[\s.:#]*$|#\s*:?\s*$|nummer[\s.:#]*$|^n(?:umé|ú)ro\b/iu;
/** Labels of other blocks of a document, which are no values. */
const otherLabel =
  /^(?:(?:ship(?:ped)?|deliver(?:ed)?|sold|bill(?:ed)?|invoiced?|remit|send)[ -]to|(?:delivery|billing|shipping|invoice) address|(?:liefer|rechnungs)(?:adresse|anschrift)|rechnungsempfänger|(?:livr(?:er|é)|factur(?:er|é)e?) à|adresse de (?:livraison|facturation)|(?:enviar|facturar|entregar) a|dirección de (?:envío|entrega|facturación)|(?:payment )?terms)$/iu;

/** The values of a cell that begins with a label, or with the first words of one. */
function placesIn(
  lines: readonly Cell[][],
  at: At,
  patterns: readonly RegExp[],
  known: ReadonlySet<string>,
): Candidate[] {
  const cell = lines[at.row]?.[at.column];
  if (cell === undefined) return [];
  const rest = afterLabel(cell.text, patterns);
  if (rest === undefined) return valuesOfBroken(lines, at, patterns);
  const found = valuesAt(lines, { ...at, rest }, known);
  const isOfNumber = ofNumber.test(cell.text.slice(0, rest.length));
  return isOfNumber ? found.map((place) => ({ ...place, isOfNumber })) : found;
}

/** The values of labels in further lines of a cell, each on its line or on the next one. */
function placesInLines(
  { text, start, column }: Cell,
  patterns: readonly RegExp[],
  known: ReadonlySet<string>,
): Candidate[] {
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
  // "Invoice #" is not the word "Invoice".
  const sign = words.length === 1 && /#[\s.:]*$/.test(label) ? String.raw`(?=\s*#)` : "";
  return new RegExp(
    `^${escaped.join("\\s+")}(?![\\p{L}\\p{N}])${sign}${explained}(?:\\s*[.:#\u2026])*\\s*`,
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
  const isNone = (text: string): boolean => isLabel(text) || known.has(plainLabel(text));
  const label = cell.text.slice(0, rest.length);
  const [first = ""] = cell.text.slice(rest.length).split("\n");
  const own = trimmed({ ...cell, text: first, start: cell.start + rest.length });
  const next = cells[column + 1];
  if (own.text !== "") {
    if (isNone(own.text)) return [];
    const value = withCurrency(own, next);
    if (label.includes("\n")) return placesOf([value], belowInColumn);
    if (value !== own) return placesOf([value], nextCell);
    return rest.isMarked ? placesOf([own], sameCell) : unmarked(own);
  }
  const [found] = cellsBelow(lines, { row, column });
  const below = found === undefined || isNone(firstLine(found)) ? undefined : found;
  const isItem = isOfItems(lines, row);
  if (next === undefined) {
    const isHeading = cells.length > 1 && isHeadingRow(lines, row);
    // "Customer reference" below "Customer" is rather another label.
    const isLonger = plainLabel(below?.text ?? "").startsWith(`${plainLabel(label)} `);
    const alone = isLonger || isInStack(lines, row) ? doubtful : nextLine;
    const sure = cells.length === 1 ? alone : isHeading ? belowInColumn : doubtful;
    return placesOf([below], isItem ? ofItems : sure);
  }
  if (isNone(next.text)) {
    if (below !== undefined) return placesOf([below], isItem ? ofItems : belowInColumn);
    // Blocks whose lines follow each other, the first one first.
    const [line = []] = lines.slice(row + 1).filter((each) => each.length > 0);
    const isFirst = column === 0 && line.length === 1 && !isNone(line[0]?.text ?? "");
    return isFirst ? placesOf(line, doubtful) : [];
  }
  if (areBlocks(lines, { row, column })) return placesOf([below], doubtful);
  const value = withCurrency(next, cells[column + 2]);
  if (!isHeadingRow(lines, row)) return placesOf([value], isItem ? ofItems : nextCell);
  // Two cells without digits are two labels above their values, or a label and its value.
  if (cells.length > 2) return placesOf([below], isItem ? ofItems : belowInColumn);
  return [...placesOf([next], doubtful), ...placesOf([below], doubtful)];
}

/** True for the last of several labels that are alone in lines, with several values after it. */
function isInStack(lines: readonly Cell[][], row: number): boolean {
  const before = lines.slice(0, row).findLast((cells) => cells.length > 0) ?? [];
  const after = lines.slice(row + 1).filter((cells) => cells.length > 0);
  const areValues = after.slice(0, 2).every((cells) => cells.length === 1 && cells.every(hasDigit));
  return after.length > 1 && areValues && before.length === 1 && !before.some(hasDigit);
}

function firstLine({ text }: Cell): string {
  return text.split("\n")[0] ?? "";
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
  const [below] = cellsBelow(lines, { row, column });
  if (cell === undefined || below === undefined || hasDigit(cell)) return [];
  const joined = `${cell.text} ${below.text}`;
  const rest = afterLabel(joined, patterns);
  if (rest === undefined || rest.length < cell.text.length + 2) return [];
  const after = rest.length - cell.text.length - 1;
  const own = trimmed({ ...below, text: below.text.slice(after), start: below.start + after });
  if (own.text !== "") return rest.isMarked ? placesOf([own], doubtful) : unmarked(own);
  const lineBelow = lines.findIndex((cells) => cells.includes(below));
  const at = lines[lineBelow]?.indexOf(below) ?? 0;
  const next = lines[row]?.[column + 1] ?? lines[lineBelow]?.[at + 1];
  return placesOf([next ?? cellsBelow(lines, { row: lineBelow, column: at })[0]], doubtful);
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

/** True for a text that ends as a label does, or that documents have as a heading of a block. */
export function isLabel(text: string): boolean {
  return /[:#]$/.test(text) || otherLabel.test(text.trim());
}
