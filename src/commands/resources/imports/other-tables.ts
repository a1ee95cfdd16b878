import { columnsIn, isBlank, leastColumns, type Header } from "./header.ts";
import type { Cell, TableRow } from "./source.ts";

const longestName = 60;

/**
 * Marks titles, notes and further tables below the first one, which are no records of its columns.
 * A further table begins after a blank row or a title with names in other columns, above values
 * that are no texts. Only the header of the first table ends it.
 */
export class OtherTables {
  readonly #columns: readonly number[];
  #before: TableRow | undefined;
  /** True after a blank row below the first records, and after the title that follows it. */
  #isApart = false;
  /** A row whose next one decides. */
  #held: TableRow | undefined;
  /** The row with the header of a further table. */
  #otherHeader: number | undefined;

  constructor(private readonly header: Header) {
    this.#columns = columnsIn(header.names);
  }

  /** The rows that are decided. */
  next(rows: readonly TableRow[]): TableRow[] {
    return rows.flatMap((row) => {
      const held = this.#held;
      this.#held = undefined;
      const decided = held === undefined ? [] : [this.#marked(held, row)];
      this.#isApart = this.#isNextApart(row);
      if (this.#mayBegin(row)) this.#held = row;
      else decided.push(this.#marked(row, undefined));
      this.#before = row;
      return decided;
    });
  }

  #isNextApart(row: TableRow): boolean {
    const before = this.#before;
    if (before === undefined || before.number <= this.header.lastRow) return false;
    const isAfterTitle = this.#isApart && columnsIn(before.cells).length === 1;
    return isAfterTitle || isBlank(before.cells) || row.number > before.number + 1;
  }

  #isTitle({ cells }: TableRow): boolean {
    const filled = cells.filter((cell) => !isBlank([cell]));
    const [text] = filled;
    const isPhrase = typeof text === "string" && /^\p{L}.*\s/u.test(text.trim());
    return isPhrase && filled.length === 1 && this.#columns.length >= leastColumns;
  }

  end(): TableRow[] {
    return this.#held === undefined ? [] : [this.#marked(this.#held, undefined)];
  }

  #mayBegin(row: TableRow): boolean {
    if (!this.#isApart || this.#otherHeader !== undefined) return false;
    const filled = row.cells.filter((cell) => !isBlank([cell]));
    const names = new Set(filled.map(nameOf));
    const isNamed = names.size === filled.length && !names.has(undefined);
    return filled.length > 1 && isNamed && !isSame(columnsIn(row.cells), this.#columns);
  }

  #marked(row: TableRow, next: TableRow | undefined): TableRow {
    if (next !== undefined && isAbove(row, next)) {
      this.#otherHeader = row.number;
      return { ...row, fault: "is the header of another table" };
    }
    const header = this.#otherHeader;
    if (isBlank(row.cells)) return row;
    if (header === undefined) {
      const isNote = this.#isApart && this.#isTitle(row);
      return isNote ? { ...row, fault: "has one text after a blank row: a title or a note" } : row;
    }
    const { names } = this.header;
    const isOwn = this.#columns.every((at) => nameOf(row.cells[at]) === names[at]);
    if (isOwn) this.#otherHeader = undefined;
    return isOwn ? row : { ...row, fault: `is in another table, whose header is row ${header}` };
  }
}

/** True if a row has values under texts of the other one, and nothing next to them. */
function isAbove(row: TableRow, next: TableRow): boolean {
  const columns = columnsIn(row.cells);
  const own = columnsIn(next.cells);
  return (
    next.number === row.number + 1 &&
    own.every((at) => columns.includes(at)) &&
    own.some((at) => isValue(next.cells[at]))
  );
}

function isSame(one: readonly number[], other: readonly number[]): boolean {
  return one.join() === other.join();
}

function nameOf(cell: Cell): string | undefined {
  const text = typeof cell === "string" ? cell.trim() : "";
  return /^\p{L}/u.test(text) && text.length <= longestName ? text : undefined;
}

function isValue(cell: Cell): boolean {
  return typeof cell === "string" ? /^[\p{Sc}\s(+-]*\d/u.test(cell) : cell !== undefined;
}
