import { ChangeCount } from "../kit/change-count.ts";
import { OrderedUuids } from "../kit/ordered-uuid.ts";
import type { Promisable } from "../kit/promisable.ts";
import { StorageError } from "./errors.ts";
import type { Migration } from "./migration.ts";
import type { SharedReads } from "./sqlite/reads.ts";
import type { Dialect, Statement } from "./statement.ts";
import { migrations } from "../schema/migrations.ts";
import { lastNumber } from "../domains/records/store/record-numbers.ts";

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
  /** Gives new records their ids; on SQLite such that no record has the number of one (see `record-numbers.ts`). */
  readonly ids: Pick<OrderedUuids, "next">;
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

export interface DatabaseOptions {
  /** `sqlite:/dir/svc.db`, or `postgres://user:password@host:port/name`. */
  readonly url: string;
  /** The platform's own unless a test brings others. */
  readonly migrations?: readonly Migration[];
  /** SQLite: where a copy goes before pending migrations run; `backups` beside the file. */
  readonly backupDirectory?: string;
  /**
   * SQLite: false for a tool beside a running platform (`svc serve token`). It shares the file,
   * and may migrate it only while no platform serves it. True: one process per data directory.
   */
  readonly isExclusive?: boolean;
  /** SQLite: the database file grows no further than this; then `StorageFullError`. */
  readonly maximumBytes?: number;
  /** SQLite: what it shares with other threads that read; it reads alone without. */
  readonly reads?: SharedReads;
  /** SQLite: for a tool that makes indexes, which memory may be too small to sort. Writes are slower. */
  readonly sortsInFile?: boolean;
  /** PostgreSQL: connections for reads, as many for writes; four for pages, three for scans. Default 8. */
  readonly poolSize?: number;
  /** Units, reads or scans that may wait before `OverloadedError`. Default 10,000. */
  readonly queueLimit?: number;
  /** Default 5,000. */
  readonly unitTimeoutMs?: number;
  /** A scan's limit when its caller names none, without its wait for a turn. Default 10,000. */
  readonly scanTimeLimitMs?: number;
  readonly now?: () => Date;
  /** Told the migrations that have been committed, in their order; not called when none was due. */
  readonly onMigrated?: (names: readonly string[]) => void;
  /** SQLite: told, before any is begun, of migrations that take their time; the database's bytes. */
  readonly onMigrating?: (bytes: number) => Promisable<void>;
}

/** Opens the database, makes it when it is SQLite and new, and brings it up to date. */
export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  const shared = {
    migrations: options.migrations ?? migrations,
    queueLimit: options.queueLimit ?? 10_000,
    unitTimeoutMs: options.unitTimeoutMs ?? 5_000,
    scanTimeLimitMs: options.scanTimeLimitMs ?? 10_000,
    now: options.now ?? (() => new Date()),
    onMigrated: options.onMigrated ?? (() => {}),
  };
  const { url } = options;
  if (isSqlite(url)) {
    const { openSqlite } = await import("./sqlite/sqlite.ts");
    const ids = options.reads?.ids ?? new OrderedUuids();
    const database = await openSqlite({
      ...shared,
      path: sqlitePath(url),
      backupDirectory: options.backupDirectory,
      isExclusive: options.isExclusive ?? true,
      maximumBytes: options.maximumBytes,
      reads: options.reads ?? { commits: new ChangeCount(), ids, threads: 1 },
      sortsInFile: options.sortsInFile ?? false,
      onMigrating: options.onMigrating ?? (() => {}),
    });
    if (shared.migrations === migrations) ids.begin(await lastNumber(database.read));
    return database;
  }
  if (/^postgres(ql)?:\/\//.test(url)) {
    const { openPostgresql } = await import("./postgresql/postgresql.ts");
    return openPostgresql({ ...shared, url, poolSize: options.poolSize ?? 8 });
  }
  // The URL may hold a password, so only its scheme is said.
  const scheme = url.includes(":") ? url.slice(0, url.indexOf(":") + 1) : "no scheme";
  throw new StorageError(`Cannot open a database with "${scheme}": wanted "postgres://…"`);
}

/** Whether the URL names a file of this machine, which several threads can read. */
export function isSqlite(url: string): boolean {
  return url.startsWith("sqlite:");
}

/** `sqlite:/a/b.db` and `sqlite:///a/b.db` are the same file. */
export function sqlitePath(url: string): string {
  const path = url.slice("sqlite:".length).replace(/^\/\/(?=\/)/, "");
  if (path === "") throw new StorageError(`Cannot open "${url}": wanted a path after "sqlite:"`);
  return path;
}
