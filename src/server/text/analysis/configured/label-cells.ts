import type { PageTable } from "../../tables/page-table.ts";

/** A cell of a line, or of a row of a table: then its text may have several lines. */
export interface LabelCell {
  readonly text: string;
  readonly start: number;
  /** The column of a table's row; for other lines the number of cells before it. */
  readonly column: number;
}

const longestLine = 2_000;
/** A longer cell is running text, in which a label is a word. */
const longestPairs = 300;
const bullet = /^(?:[-*\u2022\u00b7\u25aa\u25e6\u2013\u2014]|\d{1,2}[.)])\s+(?=\p{L})/u;
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
  const rows = rowsOfSeveralLines(text, tables);
  const pairs = pairPattern(known);
  const lines: LabelCell[][] = [];
  let start = 0;
  let rowEnd = -1;
  for (const line of text.split("\n")) {
    const row = rows.get(start);
    if (row !== undefined) {
      lines.push(row);
      rowEnd = Math.max(...row.map((cell) => cell.start + cell.text.length));
    } else if (start > rowEnd) {
      const cells = line.length <= longestLine ? cellsOf(line, start) : [];
      lines.push(numbered(cells.flatMap((cell) => pairsIn(cell, pairs))));
    }
    start += line.length + 1;
  }
  return lines;
}

/** A cell without the blanks around it, and without the sign of a list before it. */
export function trimmed({ text, start, column }: LabelCell): LabelCell {
  const begin = start + text.length - text.trimStart().length;
  const written = text.trim();
  const sign = bullet.exec(written)?.[0].length ?? 0;
  return { text: written.slice(sign), start: begin + sign, column };
}

/** Rows of tables with a cell of several lines, by the place where the first line begins. */
function rowsOfSeveralLines(
  text: string,
  tables: readonly PageTable[],
): ReadonlyMap<number, LabelCell[]> {
  const found = new Map<number, LabelCell[]>();
  for (const { rows } of tables) {
    for (const row of rows) {
      const cells = row.map(([start, end], column) => {
        return { text: text.slice(start, end), start, column };
      });
      if (!cells.some((cell) => cell.text.includes("\n"))) continue;
      const lineStart = text.lastIndexOf("\n", Math.max(0, (row[0]?.[0] ?? 0) - 1)) + 1;
      const written = cells.filter(({ text: cell, start }, at) => {
        return cell !== "" && start !== cells[at - 1]?.start;
      });
      found.set(lineStart, written);
    }
  }
  return found;
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
  const labels = [...known].filter((label) => label !== "");
  if (labels.length === 0) return undefined;
  const words = labels
    .toSorted((one, other) => other.length - one.length)
    .map((label) =>
      label
        .split(" ")
        .map(escapedWord)
        .join(String.raw`\.?\s+`),
    );
  const next = String.raw`(?:\.?${separators}[:#]|\.?\s+(?:[\p{Sc}]|[A-Z]{3} )?\d)`;
  return new RegExp(
    String.raw`(?<=\d[^\s]*|[\p{L}\p{Sc})]):?\s+(?=(?:${words.join("|")})${next})`,
    "giu",
  );
}

function escapedWord(word: string): string {
  return RegExp.escape(word);
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
