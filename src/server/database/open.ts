import { ChangeCount } from "../kit/change-count.ts";
import { OrderedUuids } from "../kit/ordered-uuid.ts";
import type { Promisable } from "../kit/promisable.ts";
import type { Database } from "./database.ts";
import { StorageError } from "./errors.ts";
import type { Migration } from "./migration.ts";
import type { SharedReads } from "./sqlite/reads.ts";

export interface DatabaseOptions {
  /** `sqlite:/dir/svc.db`, or `postgres://user:password@host:port/name`. */
  readonly url: string;
  /** All migrations in their order; those that are pending run. */
  readonly migrations: readonly Migration[];
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
    migrations: options.migrations,
    queueLimit: options.queueLimit ?? 10_000,
    unitTimeoutMs: options.unitTimeoutMs ?? 5_000,
    scanTimeLimitMs: options.scanTimeLimitMs ?? 10_000,
    now: options.now ?? (() => new Date()),
    onMigrated: options.onMigrated ?? (() => {}),
  };
  const { url } = options;
  if (isSqlite(url)) {
    const { openSqlite } = await import("./sqlite/sqlite.ts");
    return openSqlite({
      ...shared,
      path: sqlitePath(url),
      backupDirectory: options.backupDirectory,
      isExclusive: options.isExclusive ?? true,
      maximumBytes: options.maximumBytes,
      reads: options.reads ?? { commits: new ChangeCount(), ids: new OrderedUuids(), threads: 1 },
      sortsInFile: options.sortsInFile ?? false,
      onMigrating: options.onMigrating ?? (() => {}),
    });
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
