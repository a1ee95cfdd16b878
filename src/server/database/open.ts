import { ChangeCount } from "../kit/change-count.ts";
import { OrderedUuids } from "../kit/ordered-uuid.ts";
import type { Database } from "./database.ts";
import { StorageError } from "../kit/storage-errors.ts";
import { fullTuning } from "../kit/tuning.ts";
import type { DatabaseOptions, OpenOptions } from "./open-options.ts";

/** Opens the database and runs pending migrations; creates an SQLite file that is missing. */
export async function openDatabase(given: DatabaseOptions): Promise<Database> {
  const options: OpenOptions = {
    isExclusive: true,
    reads: { commits: new ChangeCount(), ids: new OrderedUuids(), threads: 1 },
    sortsInFile: false,
    poolSize: 5,
    idleSeconds: 60,
    queueLimit: 10_000,
    unitTimeoutMs: 5_000,
    scanTimeLimitMs: 10_000,
    tuning: fullTuning,
    now: () => new Date(),
    onMigrated: () => {},
    onMigrating: () => {},
    ...given,
  };
  const { url } = options;
  if (isSqlite(url)) {
    const { openSqlite } = await import("./sqlite/sqlite.ts");
    return openSqlite(sqlitePath(url), options);
  }
  const fault = databaseUrlFault(url);
  if (fault !== undefined) throw new StorageError(fault);
  const { openPostgresql } = await import("./postgresql/postgresql.ts");
  return openPostgresql(options);
}

/** The reason why a URL names no database; undefined if it does. It has no password. */
export function databaseUrlFault(url: string): string | undefined {
  if (isSqlite(url) || /^postgres(ql)?:\/\//.test(url)) return undefined;
  const scheme = url.includes(":") ? url.slice(0, url.indexOf(":") + 1) : "no scheme";
  return `Cannot open a database with "${scheme}": expected "postgres://…"`;
}

/** True if the URL is a local file, which several threads can read. */
export function isSqlite(url: string): boolean {
  return url.startsWith("sqlite:");
}

/** `sqlite:/a/b.db` and `sqlite:///a/b.db` are the same file. */
export function sqlitePath(url: string): string {
  const path = url.slice("sqlite:".length).replace(/^\/\/(?=\/)/, "");
  if (path === "") throw new StorageError(`Cannot open "${url}": expected a path after "sqlite:"`);
  return path;
}
