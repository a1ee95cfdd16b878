import { usageError } from "#cli/errors.ts";
import type { Cell, MergedCells, TableRow } from "./source.ts";

/** Rows in which the header is looked for. */
export const headerRows = 40;

export interface Header {
  /** The number of its last row. */
  readonly lastRow: number;
  /** The name of each column; `undefined` for one without a name. */
  readonly names: readonly (string | undefined)[];
}

interface HeaderOptions {
  readonly merges: readonly MergedCells[];
  /** The rows of the header, if the user has named them. */
  readonly given: { readonly first: number; readonly last: number } | undefined;
  /** Returns whether a column of this name has a place. */
  matches(name: string): boolean;
}

/**
 * The header of a table: the given rows, else the row, or the two rows below a merged cell, whose
 * names match best, else the first row with most of its columns. Two rows join as `Applicant Name`.
 */
export function findHeader(rows: readonly TableRow[], options: HeaderOptions): Header | undefined {
  const { given, matches } = options;
  if (given !== undefined) return joined(rows, given.first, given.last, options);
  const filled = rows.filter((row) => !isBlank(row.cells));
  const candidates = filled.flatMap(({ number }) => {
    const one = joined(rows, number, number, options);
    const hasGroups = options.merges.some(
      ({ firstRow, firstColumn, lastColumn }) => firstRow === number && lastColumn > firstColumn,
    );
    return hasGroups ? [one, joined(rows, number, number + 1, options)] : [one];
  });
  const scored = candidates.map((header) => {
    const names = header.names.filter((name) => name !== undefined);
    const count = names.filter(matches).length;
    return { header, count, share: count / Math.max(1, names.length) };
  });
  const [best] = scored
    .filter(({ share, count }) => share >= 0.5 || count >= 3)
    .toSorted((one, other) => other.count - one.count);
  if (best !== undefined) return best.header;
  const widest = Math.max(0, ...filled.map(({ cells }) => countOf(cells)));
  const first = filled.find(({ cells }) => countOf(cells) >= widest * 0.6);
  return first && joined(rows, first.number, first.number, options);
}

/** The rows in `--header`: `3`, or `2-3`. Throws E305. */
export function headerRange(text: string): { readonly first: number; readonly last: number } {
  const found = /^(\d{1,4})(?:-(\d{1,4}))?$/.exec(text);
  const first = Number(found?.[1] ?? 0);
  const last = Number(found?.[2] ?? first);
  if (first < 1 || last < first || last - first > 2) {
    throw usageError(`--header ${text} names no rows`, "Give one row, or up to three: 2-3");
  }
  return { first, last };
}

export function isBlank(cells: readonly Cell[]): boolean {
  return !cells.some((cell) => cell !== undefined && (typeof cell !== "string" || /\S/.test(cell)));
}

/** The places of the cells that have a value. */
export function columnsIn(cells: readonly Cell[]): number[] {
  return cells.flatMap((cell, at) => (isBlank([cell]) ? [] : [at]));
}

/** A table of fewer columns may have records with one value. */
export const leastColumns = 3;

function countOf(cells: readonly Cell[]): number {
  return columnsIn(cells).length;
}

function joined(
  rows: readonly TableRow[],
  first: number,
  last: number,
  { merges }: HeaderOptions,
): Header {
  const own = rows.filter(({ number }) => number >= first && number <= last);
  const width = Math.max(0, ...own.map(({ cells }) => cells.length));
  const texts = own.map((row) => {
    const names = Array.from({ length: width }, (_, at) => nameIn(row.cells[at]));
    if (row.number === last) return names;
    // A group has its name in its first cell only.
    const groups = merges.filter(({ firstRow }) => firstRow === row.number);
    let before = "";
    return names.map((name, at) => {
      const group = groups.find(({ firstColumn: a, lastColumn: b }) => a <= at && at <= b);
      if (name !== "") before = name;
      if (groups.length === 0) return before;
      return group === undefined ? name : (names[group.firstColumn] ?? "");
    });
  });
  const used = new Map<string, number>();
  const names = Array.from({ length: width }, (_, at) => {
    const parts = texts.map((row) => row[at] ?? "").filter((part) => part !== "");
    const name = [...new Set(parts)].join(" ");
    if (name === "") return undefined;
    const count = (used.get(name) ?? 0) + 1;
    used.set(name, count);
    return count === 1 ? name : `${name} (${count})`;
  });
  return { lastRow: last, names };
}

function nameIn(cell: Cell): string {
  if (cell === undefined) return "";
  const text = typeof cell === "object" ? ("date" in cell ? cell.date : cell.error) : String(cell);
  return text
    .replace(/^\ufeff/, "")
    .replace(/\s+/g, " ")
    .trim();
}
