import type { OrderedUuids } from "../kit/ordered-uuid.ts";
import type { Promisable } from "../kit/promisable.ts";
import type { Dialect, Statement } from "./statement.ts";

export type { Dialect } from "./statement.ts";

/** Limits of one call. A scan always has a time limit; a signal stops it, or its wait, earlier. */
export interface ScanOptions {
  readonly signal?: AbortSignal;
  readonly timeLimitMs?: number;
  /** Whose scan it is, say a workspace's id: one of them never holds up all others. */
  readonly share?: string;
}

/** Reads committed rows. */
export interface Reader {
  readonly dialect: Dialect;
  /** All rows; a statement is prepared once and kept by its text. */
  all<Row>(statement: Statement): Promise<Row[]>;
  /**
   * The first row, or undefined; on SQLite without waiting, outside of scans. Say `limit 1` in the
   * statement where there may be more.
   */
  first<Row>(statement: Statement): Promisable<Row | undefined>;
  /**
   * The same for pages that are the next few rows of an index, whatever is asked for; where there is
   * none, this reader is as good. PostgreSQL plans their statements once.
   */
  readonly pages?: Reader;
}

/** Long reads, away from everybody else's: unindexed filters, aggregates, searches. */
export interface Scanner extends Reader {
  /** The same connection with another time limit, or a signal that stops the scan. */
  with(options: ScanOptions): Reader;
}

/** Reads and writes inside one unit; it sees what the unit wrote. */
export interface Writer extends Reader {
  /** Rows inserted, updated or deleted. */
  run(statement: Statement): Promise<{ changedRows: number }>;
  /**
   * Runs when the unit has done well, in its transaction but behind the units of everybody else in
   * it: for full-text rows, of which SQLite makes a segment for each savepoint that comes between.
   */
  runLast(statement: Statement): void;
}

/**
 * Units of one kind that may be written together: they read nothing that others of their kind
 * write, and what each of them writes is its own.
 */
export interface MergeableUnit<Item> {
  /** False for one that does read: it has a unit of its own. */
  isMergeable(item: Item): boolean;
  /** Bytes, or so, that it brings to a statement. */
  weight(item: Item): number;
  one(writer: Writer, item: Item): Promise<void>;
  /**
   * All of them in few statements; whether each was done. What was not has left nothing, and is
   * written by {@link one}, which throws the reason.
   */
  all(writer: Writer, items: readonly Item[]): Promise<readonly boolean[]>;
  /**
   * Whether {@link all} runs one statement for these, and nothing that fails after it: the statement
   * is then its own transaction.
   */
  isOneStatement(items: readonly Item[]): boolean;
}

export interface Database {
  readonly dialect: Dialect;
  /** Makes new ids, each larger than all before it. */
  readonly ids: Pick<OrderedUuids, "begin" | "next">;
  /** Point reads and pages; sees only committed rows. */
  readonly read: Reader;
  /** SQLite: a worker thread with a read-only connection. PostgreSQL: a small separate pool. */
  readonly scan: Scanner;
  /**
   * One atomic unit: all of it is durable when the promise resolves, none of it when it rejects.
   * A unit awaits nothing but its writer (no network, no timer): everybody's writes wait for it.
   * After 5 s it is rolled back and refused (`UnitTimeoutError`). It may run again from its start
   * (after a serialization failure, or when another unit of its batch failed), so
   * it must change nothing but the database: what it counts or collects begins inside it.
   * The first failed statement fails the unit, even if it is caught: `on conflict do nothing` and
   * `changedRows` are the way to try.
   */
  write<T>(work: (writer: Writer) => Promise<T>): Promise<T>;
  /**
   * Writes units of one kind, each as {@link write} would: those that come at the same time
   * together, in few statements.
   */
  merged<Item>(unit: MergeableUnit<Item>): (item: Item) => Promise<void>;
  close(): Promise<void>;
}
