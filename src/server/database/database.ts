import type { OrderedUuids } from "../kit/ordered-uuid.ts";
import type { Promisable } from "../kit/promisable.ts";
import type { Scope } from "../kit/scope.ts";
import type { Tuning } from "../kit/tuning.ts";
import type { Dialect, Statement } from "./statement.ts";

export type { Dialect } from "./statement.ts";

/** Limits of one scan. It always has a time limit; a signal stops it, or its wait, earlier. */
export interface ScanOptions {
  readonly signal?: AbortSignal;
  readonly timeLimitMs?: number;
  /** A share of scans, such as a workspace's id: one share never blocks all others. */
  readonly share?: string;
}

export interface Reader {
  readonly dialect: Dialect;
  /** All rows; a statement is prepared once and kept by its text. */
  all<Row>(statement: Statement): Promise<Row[]>;
  /**
   * The first row, or undefined; without waiting on SQLite, except in a scan. The statement needs
   * `limit 1` where there may be more rows.
   */
  first<Row>(statement: Statement): Promisable<Row | undefined>;
  /**
   * A reader on PostgreSQL for pages that are the next rows of an index, whatever the values are:
   * their statements are planned once.
   */
  readonly pages?: Reader;
  /** Mechanisms for speed, of which a benchmark may have switched off some. */
  readonly tuning?: Tuning;
}

/** Long reads (unindexed filters, aggregates, searches), apart from the short ones. */
export interface Scanner extends Reader {
  /** A reader of this connection with another time limit, or a signal that stops the scan. */
  with(options: ScanOptions): Reader;
}

/** Reads and writes inside one unit; it sees what the unit wrote. */
export interface Writer extends Reader {
  /** Rows inserted, updated or deleted. */
  run(statement: Statement): Promise<{ changedRows: number }>;
  /**
   * Runs at the end of the unit's transaction, after the other units in it: full-text rows, of
   * which SQLite makes a segment for each savepoint between them.
   */
  runLast(statement: Statement): void;
}

/** A kind of unit for batches: no unit reads or writes what another one writes. */
export interface MergeableUnit<Item> {
  /** False for an item that reads: it has its own unit. */
  isMergeable(item: Item): boolean;
  /** Bytes, roughly, that it adds to a statement. */
  weight(item: Item): number;
  one(writer: Writer, item: Item): Promise<void>;
  /**
   * Writes all items in few statements, and returns for each whether it is done. An item that is
   * not done has changed nothing; {@link one} then writes it, or throws the reason.
   */
  all(writer: Writer, items: readonly Item[]): Promise<readonly boolean[]>;
  /** True if {@link all} runs one statement for these, which then needs no explicit transaction. */
  isOneStatement(items: readonly Item[]): boolean;
}

/** Writes an item in the scope of its request. */
export type MergedUnits<Item> = (item: Item, scope: Scope) => Promise<void>;

/** The rows of one scope. */
export interface DatabaseView {
  /** Point reads and pages; sees only committed rows. */
  readonly read: Reader;
  /** SQLite: a worker thread with a read-only connection. PostgreSQL: a small separate pool. */
  readonly scan: Scanner;
  /**
   * One atomic unit: all of it is durable when the promise resolves, none of it when it rejects.
   * - It awaits nothing but its writer (no network, no timer), since all writes wait for it. After
   *   5 s it is rolled back and refused (`UnitTimeoutError`).
   * - It may run again from its start (after a serialization failure, or when another unit of its
   *   batch failed): it changes nothing but the database, and starts its counts and lists inside.
   * - The first failed statement fails it, even if it is caught: to try something, use
   *   `on conflict do nothing` and `changedRows`.
   */
  write<T>(work: (writer: Writer) => Promise<T>): Promise<T>;
  /**
   * Reads one state of the database with many short statements, while writes continue. It may take
   * minutes, and uses one connection; on SQLite the write-ahead log grows until it ends.
   */
  snapshot<T>(work: (reader: Reader) => Promise<T>): Promise<T>;
}

/** A line of copies of the log without a gap. */
export interface LogLine {
  readonly line: string;
  /** The time of its begin, in milliseconds: only a later backup can use it. */
  readonly startedAt: number;
}

export interface Database {
  readonly dialect: Dialect;
  /** The rows of a scope; nothing reads or writes without one. */
  in(scope: Scope): DatabaseView;
  readonly tuning: Tuning;
  /** Makes new ids, each larger than all before it. */
  readonly ids: Pick<OrderedUuids, "begin" | "next">;
  /** Writes units of one kind as {@link DatabaseView.write} does, but in batches. */
  merged<Item>(unit: MergeableUnit<Item>): MergedUnits<Item>;
  /** SQLite: empties the write-ahead log; false while a reader needs it. */
  emptyLog?(): Promise<boolean>;
  /**
   * SQLite with copies of its log: copies what was committed, or begins another line of copies
   * (`renew`). Returns the line; undefined after the close.
   */
  copyLog?(request: "copy" | "renew"): Promise<LogLine | undefined>;
  /** SQLite: the room on the disk of the database, in bytes. */
  readonly freeBytes?: () => Promise<number>;
  /**
   * Why commits can no longer be made durable. It is final: after a failed sync the system may have
   * dropped what it had not written, so that only the next start knows what is stored.
   */
  readonly writeFailure?: () => unknown;
  /** Settings of the server with which acknowledged writes may be lost, as clauses. */
  readonly risks?: readonly string[];
  /** PostgreSQL: whether a connection pooler is between the platform and the server. */
  readonly isPooled?: boolean;
  /** PostgreSQL: tables that row-level security does not cover, and what changes that. */
  readonly unsecured?: string;
  /** The pools and queues with their present use, for metrics. */
  load?(): readonly DatabaseLoad[];
  close(): Promise<void>;
}

/** The use of a pool of connections or threads, or of a queue, which has neither. */
export interface DatabaseLoad {
  readonly pool: string;
  readonly used?: number;
  readonly limit?: number;
  readonly waiting: number;
}
