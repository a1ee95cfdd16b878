import { columnsIn, leastColumns, type Header } from "./header.ts";
import type { TableRow } from "./source.ts";

/** Records before a note: fewer of them show no habit. */
const leastRecords = 3;
/** The most rows of notes that are held until the end of the file is seen. */
const longestNotes = 20;

/**
 * Marks phrases directly below the last record, such as the source of a table: each is the only
 * value of its row, while all rows above have several values.
 */
export class EndNotes {
  readonly #isWide: boolean;
  #records = 0;
  /** True where a row above has one value too. */
  #hasSparse = false;
  /** Phrases, and the blank or marked rows between them. */
  #held: TableRow[] = [];

  constructor(private readonly header: Header) {
    this.#isWide = columnsIn(header.names).length >= leastColumns;
  }

  /** The rows that are decided. */
  next(rows: readonly TableRow[]): TableRow[] {
    return this.#isWide ? rows.flatMap((row) => this.#decided(row)) : [...rows];
  }

  end(): TableRow[] {
    const fault = "is one text directly below the table, where all rows above have more: a note";
    return this.#released().map((row) => (isPhrase(row) ? { fault, ...row } : row));
  }

  #decided(row: TableRow): TableRow[] {
    const count = columnsIn(row.cells).length;
    if (count === 0 || row.fault !== undefined || row.number <= this.header.lastRow) {
      if (this.#held.length === 0) return [row];
      this.#held.push(row);
      return this.#held.length > longestNotes ? this.#released() : [];
    }
    const isNote = isPhrase(row) && !this.#hasSparse && this.#records >= leastRecords;
    if (isNote && this.#held.length < longestNotes) {
      this.#held.push(row);
      return [];
    }
    const released = this.#released();
    this.#hasSparse ||= count === 1 || released.length > 0;
    this.#records += 1;
    return [...released, row];
  }

  #released(): TableRow[] {
    const held = this.#held;
    this.#held = [];
    return held;
  }
}

function isPhrase({ cells }: TableRow): boolean {
  const [column, ...others] = columnsIn(cells);
  const text = column === undefined ? undefined : cells[column];
  return (
    others.length === 0 && typeof text === "string" && /\p{L}.*\s|\s.*\p{L}/u.test(text.trim())
  );
}
