import { given } from "#lib/given.ts";
import type { CellSpan, PageTable } from "../../tables/page-table.ts";

/** A cell of a line, or of a row of a table: then its text may have several lines. */
export interface LabelCell {
  readonly text: string;
  readonly start: number;
  /** The column of a table's row; for other lines the number of cells before it. */
  readonly column: number;
  /** The number of the table, for a cell of a row without cells of several lines. */
  readonly table?: number;
}

const longestLine = 2_000;
/** A longer cell is running text, in which a label is a word. */
const longestPairs = 300;
const bullet = /^[-*\u2022\u00b7\u25aa\u25e6\u2013\u2014]\s+(?=\p{L})/u;
/** The number of an item of a list, which is no date such as "5. Mai 2026". */
const numberOfItem = /^\d{1,2}[.)]\s+(?=\p{L})(?!\p{L}+\.? \d{4}(?!\d))/u;
const separators = String.raw`(?:\s*[.:#\u2026])*`;

/**
 * The cells of each line, which tabs or three spaces divide. A row of a table whose cells have
 * several lines is one line. Labels that are `known` divide a cell: "5 May 2026 Due date: 1 June".
 */
export function cellsOfLines(
  text: string,
  known: ReadonlySet<string>,
  tables: readonly PageTable[] = [],
): LabelCell[][] {
  const rows = rowsOfSeveralLines(text, tables, known);
  const single = rowsOfOneLine(text, tables);
  const pairs = pairPattern(known);
  const lines: LabelCell[][] = [];
  let start = 0;
  let rowEnd = -1;
  for (const line of text.split("\n")) {
    const row = rows.get(start);
    if (row !== undefined) {
      lines.push(...row);
      rowEnd = Math.max(...row.flat().map((cell) => cell.start + cell.text.length));
    } else if (start > rowEnd) {
      const cells = line.length <= longestLine ? cellsOf(line, start) : [];
      const divided = cells.flatMap((cell) => pairsIn(cell, pairs));
      lines.push(placed(numbered(divided), single.get(start)));
    }
    start += line.length + 1;
  }
  return lines;
}

/** A cell without the blanks around it, and without the sign of a list before it. */
export function trimmed({ text, start, column, table }: LabelCell): LabelCell {
  const begin = start + text.length - text.trimStart().length;
  const written = text.trim();
  const sign = (bullet.exec(written) ?? numberOfItem.exec(written))?.[0].length ?? 0;
  return { text: written.slice(sign), start: begin + sign, column, ...given({ table }) };
}

/** Rows of tables with a cell of several lines, by the place where the first line begins. */
function rowsOfSeveralLines(
  text: string,
  tables: readonly PageTable[],
  known: ReadonlySet<string>,
): ReadonlyMap<number, LabelCell[][]> {
  const found = new Map<number, LabelCell[][]>();
  for (const [table, { rows }] of tables.entries()) {
    for (const row of rows) {
      const cells = row.map(([start, end], column) => {
        return { text: text.slice(start, end), start, column, table };
      });
      if (!cells.some((cell) => cell.text.includes("\n"))) continue;
      const lineStart = text.lastIndexOf("\n", Math.max(0, (row[0]?.[0] ?? 0) - 1)) + 1;
      const written = cells.filter(({ text: cell, start }, at) => {
        return cell !== "" && start !== cells[at - 1]?.start;
      });
      found.set(lineStart, dividedRow(written, known));
    }
  }
  return found;
}

interface SingleRow {
  readonly table: number;
  readonly row: readonly CellSpan[];
}

/** Rows of tables whose cells have one line each, by the place where they begin. */
function rowsOfOneLine(text: string, tables: readonly PageTable[]): ReadonlyMap<number, SingleRow> {
  const found = new Map<number, SingleRow>();
  for (const [table, { rows }] of tables.entries()) {
    for (const row of rows) {
      if (row.some(([start, end]) => text.slice(start, end).includes("\n"))) continue;
      found.set(text.lastIndexOf("\n", Math.max(0, (row[0]?.[0] ?? 0) - 1)) + 1, { table, row });
    }
  }
  return found;
}

/** The cells with the columns of their table. */
function placed(cells: LabelCell[], single: SingleRow | undefined): LabelCell[] {
  if (single === undefined) return cells;
  const { table, row } = single;
  return cells.map((cell) => {
    const column = row.findIndex(([start, end]) => start <= cell.start && cell.start < end);
    return column < 0 ? cell : { ...cell, column, table };
  });
}

/**
 * A row in which several labels share a cell and their values the next one, as scans of pairs next
 * to an address have them: each label with its value becomes a line.
 */
function dividedRow(row: readonly LabelCell[], known: ReadonlySet<string>): LabelCell[][] {
  for (const [at, cell] of row.entries()) {
    const labels = labelsAlone(cell, known);
    const values = labels.length < 2 ? [] : linesOf(row[at + 1]);
    if (labels.length < 2 || labels.length !== values.length) continue;
    const pairs = labels.map((label, index) =>
      numbered([label, values[index] ?? label].map(({ table: _table, ...each }) => each)),
    );
    return [row.toSpliced(at, 2), ...pairs].filter((cells) => cells.length > 0);
  }
  return [[...row]];
}

/** The labels of a cell that has nothing else; none for other cells. */
function labelsAlone({ text, start, column }: LabelCell, known: ReadonlySet<string>): LabelCell[] {
  const words = wordsOfLabels(known);
  if (words === undefined || text.length > longestPairs) return [];
  const label = new RegExp(String.raw`(?:${words})(?![\p{L}\p{N}])\.?${separators}\s*`, "iuy");
  const labels: LabelCell[] = [];
  let from = 0;
  for (let match = label.exec(text); match !== null && match[0] !== ""; match = label.exec(text)) {
    labels.push(trimmed({ text: match[0], start: start + from, column }));
    from = label.lastIndex;
  }
  return from === text.length ? labels : [];
}

function linesOf(cell: LabelCell | undefined): LabelCell[] {
  if (cell === undefined) return [];
  let from = cell.start;
  const lines = cell.text.split("\n").map((text) => {
    const line = { ...cell, text, start: from };
    from += text.length + 1;
    return trimmed(line);
  });
  return lines.filter(({ text }) => text !== "");
}

/** Lines of tables that are drawn with signs, and those that only draw. */
const drawnColumns = /[\u2502\u2503\u2551|]/g;
const drawnRule = /^[\s\u2500-\u257f|+=_-]+$/;

function cellsOf(written: string, lineStart: number): LabelCell[] {
  if (drawnRule.test(written)) return [];
  const line = written.replace(drawnColumns, "\t");
  return Array.from(line.matchAll(/(?:[^\t ]| {1,2}(?=[^\t ]))+/g), (match, column) =>
    trimmed({ text: match[0], start: lineStart + match.index, column }),
  );
}

function numbered(cells: readonly LabelCell[]): LabelCell[] {
  return cells.map((cell, column) => ({ ...cell, column }));
}

/** Finds a known label inside a cell: with a sign after it, or between two values with digits. */
function pairPattern(known: ReadonlySet<string>): RegExp | undefined {
  const words = wordsOfLabels(known);
  if (words === undefined) return undefined;
  const next = String.raw`(?:\.?${separators}[:#]|\.?\s+(?:[\p{Sc}]|[A-Z]{3} )?\d)`;
  return new RegExp(String.raw`(?<=\d[^\s]*|[\p{L}\p{Sc})]):?\s+(?=(?:${words})${next})`, "giu");
}

/** A pattern of each label that is known, the longest first; undefined if there is none. */
function wordsOfLabels(known: ReadonlySet<string>): string | undefined {
  const labels = [...known].filter((label) => label !== "");
  if (labels.length === 0) return undefined;
  return labels
    .toSorted((one, other) => other.length - one.length)
    .map((label) =>
      label
        .split(" ")
        .map(lettersOf)
        .join(String.raw`\.?\s+`),
    )
    .join("|");
}

/** The letters that a recognition without those of a language reads for them. */
const readAs = new Map([
  ["º", "[º°ªo\\d%?*'\"\u2019\u201d®]"],
  ["°", "[º°ªo\\d%?*'\"\u2019\u201d®]"],
  ["ä", "[aäáé46]"],
  ["á", "[aáä46é]"],
  ["ö", "[oöóé60]"],
  ["ó", "[oóöé60]"],
  ["ü", "[uüú]|ii|ti"],
  ["ñ", "[nñf]i?"],
]);

/** A pattern of a word; a scan may lose its accents, so that "Fällig" also meets "Fallig". */
export function lettersOf(word: string): string {
  return Array.from(word.normalize("NFC"), (letter) => {
    if (/['\u2019]/.test(letter)) return "['\u2019]";
    const read = readAs.get(letter.toLowerCase());
    if (read !== undefined) return `(?:${read})`;
    if (!/\p{Script=Latin}/u.test(letter)) return RegExp.escape(letter);
    const [plain = letter] = letter.normalize("NFD");
    return plain === letter ? letter : `[${plain}${letter}]`;
  }).join("");
}

function pairsIn(cell: LabelCell, pattern: RegExp | undefined): LabelCell[] {
  const { text, start, column } = cell;
  if (pattern === undefined || text.length > longestPairs || !/[\d:#]/.test(text)) return [cell];
  const parts: LabelCell[] = [];
  let from = 0;
  for (const match of text.matchAll(pattern)) {
    const before = text.slice(from, match.index);
    // Between two pairs is a value, which has a digit or follows a colon.
    if (!/\d|[:#]\s*\S/.test(before)) continue;
    parts.push(trimmed({ text: before, start: start + from, column }));
    from = match.index;
  }
  parts.push(trimmed({ text: text.slice(from), start: start + from, column }));
  return parts;
}
