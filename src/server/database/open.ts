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
  /** SQLite: directory of the copies made before migrations; `backups` next to the file. */
  readonly backupDirectory?: string;
  /**
   * SQLite: false for a tool that runs next to a platform (`svc serve token`). It shares the file, and
   * may migrate it only while no platform serves it. True: one process per data directory.
   */
  readonly isExclusive?: boolean;
  /** SQLite: largest size of the database file; beyond it writes throw `StorageFullError`. */
  readonly maximumBytes?: number;
  /** SQLite: shared with other threads that read; without, one thread reads. */
  readonly reads?: SharedReads;
  /** SQLite: sorts in a file, for a tool that makes large indexes. Writes are slower. */
  readonly sortsInFile?: boolean;
  /** PostgreSQL: connections for reads, and as many for writes. Default 8. */
  readonly poolSize?: number;
  /** Units, reads or scans that may wait before `OverloadedError`. Default 10,000. */
  readonly queueLimit?: number;
  /** Default 5,000. */
  readonly unitTimeoutMs?: number;
  /** Default limit of a scan, without its wait for a permit. Default 10,000. */
  readonly scanTimeLimitMs?: number;
  readonly now?: () => Date;
  /** Called with the names of the committed migrations, unless none was pending. */
  readonly onMigrated?: (names: readonly string[]) => void;
  /** SQLite: called with the size of a large database before its migrations start. */
  readonly onMigrating?: (bytes: number) => Promisable<void>;
}

/** Opens the database and runs pending migrations; creates an SQLite file that is missing. */
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
  // The URL may hold a password: only its scheme is shown.
  const scheme = url.includes(":") ? url.slice(0, url.indexOf(":") + 1) : "no scheme";
  throw new StorageError(`Cannot open a database with "${scheme}": expected "postgres://…"`);
}

/** Whether the URL is a local file, which several threads can read. */
export function isSqlite(url: string): boolean {
  return url.startsWith("sqlite:");
}

/** `sqlite:/a/b.db` and `sqlite:///a/b.db` are the same file. */
export function sqlitePath(url: string): string {
  const path = url.slice("sqlite:".length).replace(/^\/\/(?=\/)/, "");
  if (path === "") throw new StorageError(`Cannot open "${url}": expected a path after "sqlite:"`);
  return path;
}
