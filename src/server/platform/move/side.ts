import type { Dialect, Reader } from "../../database/database.ts";
import type { Statement } from "../../database/statement.ts";
import type { Key, Row } from "./row-values.ts";
import type { MovedTable } from "./tables.ts";

/** Rows to remove from a table and to add to it, in this order. */
export interface TableChange {
  readonly removed: readonly Key[];
  readonly added: readonly Row[];
}

/** One of the two databases of a move, on connections without a platform. */
export interface Side {
  readonly dialect: Dialect;
  readonly reader: Reader;
  /**
   * The rows of a table after a key, in the order of keys, in pages of about 4 MiB. SQLite reads
   * each page as it is now; PostgreSQL reads all of them as they were at the first one.
   */
  pages(table: MovedTable, after?: Key): AsyncGenerator<readonly Row[], void, undefined>;
  /** Changes a table, and runs `notes` in the same transaction. */
  change(table: MovedTable, change: TableChange, notes?: readonly Statement[]): Promise<void>;
  /** Runs statements in one transaction. */
  transaction(statements: readonly Statement[]): Promise<void>;
  /** Runs a statement that cannot be in a transaction, or needs none. */
  run(statement: Statement): Promise<void>;
  /** Later transactions, and with them all earlier ones, are durable when they have ended. */
  makeDurable(): Promise<void>;
  close(): Promise<void>;
}

const pageBytes = 4 * 1024 * 1024;
const mostRows = 4_000;
const firstRows = 50;

/** Rows of the next page, by the size of those before: a page must fit into memory. */
export class PageSize {
  rows = firstRows;

  note(rows: number, bytes: number): void {
    if (rows === 0) return;
    const fitting = Math.floor(pageBytes / Math.max(1, bytes / rows));
    this.rows = Math.max(1, Math.min(fitting, this.rows * 4, mostRows));
  }
}
