import { inputError } from "#cli/errors.ts";
import { EndNotes } from "./end-notes.ts";
import { findHeader, headerRows, isBlank, type Header } from "./header.ts";
import { OtherTables } from "./other-tables.ts";
import type { Cell, ReadMeter, TableRow, TableSource } from "./source.ts";

/** A row that has no record, and why. */
export interface SkippedRow {
  readonly row: number;
  readonly reason: string;
}

export interface OpenTable {
  readonly header: Header;
  /** The rows of data; rows that have none are noted in `skipped`. */
  readonly rows: AsyncIterable<readonly TableRow[]>;
  readonly skipped: readonly SkippedRow[];
}

/** Finds the header of a table. Throws E305 without one. */
export async function openTable(
  source: TableSource,
  meter: ReadMeter,
  options: Pick<Parameters<typeof findHeader>[1], "given" | "matches">,
): Promise<OpenTable> {
  const chunks = source.rows(meter)[Symbol.asyncIterator]();
  const first: TableRow[] = [];
  let isEnd = false;
  while (!isEnd && first.length < headerRows) {
    const { done, value } = await chunks.next();
    isEnd = done === true;
    if (value !== undefined) first.push(...value);
  }
  const header = findHeader(first, { ...options, merges: source.merges });
  if (header === undefined) throw inputError("the file has no rows");
  const skipped: SkippedRow[] = [];
  const end = endOfHeader(header, source.merges);
  const data = (rows: readonly TableRow[]): TableRow[] =>
    rows.filter((row) => {
      if (row.number <= header.lastRow || isBlank(row.cells)) return false;
      const isOfHeader = row.number <= end;
      const reason = isOfHeader ? "belongs to the header" : reasonToSkip(row, header);
      if (reason !== undefined) skipped.push({ row: row.number, reason });
      return reason === undefined;
    });
  async function* rows(found: Header): AsyncGenerator<readonly TableRow[], void, undefined> {
    const others = new OtherTables(found);
    const notes = new EndNotes(found);
    const decided = (next: readonly TableRow[]): TableRow[] => data(notes.next(others.next(next)));
    try {
      yield decided(first);
      while (!isEnd) {
        const { done, value } = await chunks.next();
        isEnd = done === true;
        if (value !== undefined) yield decided(value);
      }
      yield data([...notes.next(others.end()), ...notes.end()]);
    } finally {
      await chunks.return?.();
    }
  }
  return { header, rows: rows(header), skipped };
}

/** Rows below a header into which its merged cells may reach. */
const rowsBelowHeader = 2;

/** The last row of the merged cells that begin in the header. */
function endOfHeader({ lastRow }: Header, merges: TableSource["merges"]): number {
  const ends = merges
    .filter(({ firstRow, lastRow: last }) => firstRow <= lastRow && last > lastRow)
    .map(({ lastRow: last }) => last)
    .filter((last) => last <= lastRow + rowsBelowHeader);
  return Math.max(lastRow, ...ends);
}

const totals =
  /^(?:(?:grand |sub)?-?totals?|sum|summe|(?:gesamt|zwischen)summe|gesamt|total général|somme|totale|suma|totaal)\s*:?$/i;

/** Totals below a table, and a header that is repeated on each printed page, are no records. */
function reasonToSkip({ cells, sumsRows }: TableRow, header: Header): string | undefined {
  const texts = cells.map((cell) => (typeof cell === "string" ? cell.trim() : ""));
  const filled = cells.filter((cell) => !isBlank([cell]));
  const named = header.names.filter((name, at) => name !== undefined && texts[at] === name);
  if (filled.length > 1 && named.length === filled.length) return "repeats the header";
  const label = texts.find((text) => text !== "") ?? "";
  const others = filled.filter((cell) => cell !== undefined && !isLabel(cell, label));
  if (totals.test(label) && others.every(looksNumeric)) return "is a total";
  return sumsRows === true && others.every(looksNumeric) ? "is a total" : undefined;
}

function isLabel(cell: Cell, label: string): boolean {
  return typeof cell === "string" && cell.trim() === label;
}

function looksNumeric(cell: Cell): boolean {
  return typeof cell === "number" || (typeof cell === "string" && !/\p{L}{4}/u.test(cell));
}
