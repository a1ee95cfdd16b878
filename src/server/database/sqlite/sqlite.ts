import { chmodSync, closeSync, mkdirSync, openSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { Promisable } from "../../kit/promisable.ts";
import type { Database } from "../database.ts";
import { copyBeforeMigration } from "./backup.ts";
import { Checkpointer } from "./checkpointer.ts";
import { lockDirectory } from "./directory-lock.ts";
import { SchemaMismatchError, StorageError } from "../errors.ts";
import { GroupCommit } from "./group-commit.ts";
import { appliedMigrations, pendingMigrations, runMigrations } from "../migrate.ts";
import type { Migration, MigrationContext } from "../migration.ts";
import { LogSync } from "./log-sync.ts";
import { MergedWrites } from "../merged-writes.ts";
import { ScanPool } from "./scan-pool.ts";
import { SqliteConnection } from "./connection.ts";
import { commonPragmas, SqliteReads, type SharedReads } from "./reads.ts";
import { render } from "../statement.ts";
import { scanPermits } from "../permits.ts";

export interface SqliteOptions {
  readonly path: string;
  readonly migrations: readonly Migration[];
  readonly backupDirectory: string | undefined;
  readonly isExclusive: boolean;
  readonly maximumBytes: number | undefined;
  readonly reads: SharedReads;
  readonly sortsInFile: boolean;
  readonly queueLimit: number;
  readonly unitTimeoutMs: number;
  readonly scanTimeLimitMs: number;
  readonly now: () => Date;
  readonly onMigrated: (names: readonly string[]) => void;
  readonly onMigrating: (bytes: number) => Promisable<void>;
}

const mebibyte = 1024 * 1024;
/** Of the write-ahead log: from here on writers wait for it to start anew. */
const largeBytes = 128 * mebibyte;

/**
 * How long new scans wait for those that run to end, where the log is to start anew, and for that: less
 * than the four seconds after which one is refused.
 */
const scansPause = { endMs: 2_000, workMs: 1_500 };

/** A scan may sort all of a type's records: beyond its cache they go to a nameless file. */
const scanPragmas = ["query_only = on", "temp_store = file", "cache_size = -8192"];

const writerPragmas = [
  "cache_size = -24576",
  // A migration may sort all records for an index.
  "temp_store = file",
  // For a new file; a page is also what each index that a write touches puts into the log.
  "page_size = 4096",
  "journal_mode = wal",
  // FULL while the schema is made; then `LogSync` does what it would do, without a halt.
  "synchronous = full",
  "foreign_keys = on",
  // As large as it gets under load and beside scans: to extend the file costs each sync of it more.
  `journal_size_limit = ${2 * largeBytes}`,
  // Only a net: the checkpointer's thread is long done before the log has this many pages.
  "wal_autocheckpoint = 131072",
];

/** A database of which a copy and a migration take longer than anybody takes for nothing. */
const noticedBytes = 64 * mebibyte;

/** Opens (and makes, and migrates) an SQLite database. Its directory is the data directory. */
export async function openSqlite(options: SqliteOptions): Promise<Database> {
  const path = resolve(options.path);
  const directory = dirname(path);
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const lock = takeLock(`${path}.lock`, directory, options.isExclusive);
  let writer: SqliteConnection | undefined;
  try {
    writer = new SqliteConnection(path, { readonly: false });
    // Passwords' hashes and sessions live here: nobody else's to read.
    chmodSync(path, 0o600);
    for (const pragma of [...commonPragmas, ...writerPragmas]) writer.execute(`pragma ${pragma}`);
    refuseOldSqlite(writer);
    refuseWithoutLog(writer, directory);
    if (options.maximumBytes !== undefined) {
      const pages = Math.ceil(options.maximumBytes / pageBytes(writer));
      writer.execute(`pragma max_page_count = ${pages}`);
    }
    await migrate(writer, directory, options, lock !== undefined);
    if (!options.isExclusive) lock?.release();
    return serve(path, writer, options, () => {
      if (options.isExclusive) lock?.release();
    });
  } catch (error) {
    writer?.close();
    lock?.release();
    throw error;
  }
}

/** A tool beside a running platform goes without the lock; it then may not migrate. */
function takeLock(
  path: string,
  directory: string,
  isExclusive: boolean,
): { release(): void } | undefined {
  try {
    return lockDirectory(path, directory);
  } catch (error) {
    if (isExclusive) throw error;
    return undefined;
  }
}

function serve(
  path: string,
  writer: SqliteConnection,
  options: SqliteOptions,
  release: () => void,
): Database {
  const reads = new SqliteReads(path, options.reads);
  // For the checkpoints: a tool beside a platform leaves them to it.
  const file = options.isExclusive ? openSync(path, "r+") : undefined;

  writer.execute("pragma synchronous = normal");
  // What a statement may have to take back, forgotten at its end: half of a batch's time goes into
  // writing it to a file. (In a savepoint of a thousand statements each would walk through all of it.)
  if (!options.sortsInFile) writer.execute("pragma temp_store = memory");
  const log = new LogSync(`${path}-wal`);
  const commits = new GroupCommit(writer, {
    queueLimit: options.queueLimit,
    batchLimit: 1_000,
    unitTimeoutMs: options.unitTimeoutMs,
    onCommit: () => {
      options.reads.commits.raise();
      checkpointer.noteCommit();
    },
    sync: () => log.sync(),
  });
  let isLost = false;
  const permits = scanPermits(options.queueLimit);
  const checkpointer = new Checkpointer({
    walPath: `${path}-wal`,
    smallBytes: 16 * mebibyte,
    largeBytes,
    pageBytes: pageBytes(writer),
    intervalMs: 50,
    // Lazy, so that the worker's module stays a file of its own in the compiled program.
    start: async () =>
      (await import("./checkpoint-worker.ts")).startCheckpointWorker(
        path,
        [...commonPragmas, "synchronous = full"],
        file,
      ),
    onLoss: (error) => {
      isLost = true;
      commits.fail(error);
    },
    async withoutScans(work) {
      const resume = await permits.pause(scansPause.endMs);
      if (resume === undefined) return;
      const timer = setTimeout(resume, scansPause.workMs).unref();
      try {
        await work();
      } finally {
        clearTimeout(timer);
        resume();
      }
    },
    hold: (work) =>
      commits.between(async () => {
        await work();
        // A reader that still looks into the log would keep it from starting anew.
        reads.endTick();
      }),
  });
  const scans = new ScanPool({
    permits,
    timeLimitMs: options.scanTimeLimitMs,
    start: async (unwanted) =>
      (await import("./scan-worker.ts")).startScanWorker(
        path,
        [...commonPragmas, ...scanPragmas],
        unwanted,
      ),
  });

  const merges: { idle(): Promise<void> }[] = [];
  let closing: Promise<void> | undefined;
  const close = async (): Promise<void> => {
    await Promise.all(merges.map((merge) => merge.idle()));
    await commits.close();
    await log.close();
    await Promise.all([checkpointer.close(), scans.close()]);
    reads.close();
    // The last connection moves the whole log into the file and removes it: not where the file lost
    // what it had from the log, which the next start moves there again.
    if (!isLost) {
      writer.close();
      // Behind all connections: with any descriptor of a file go all locks of the process.
      if (file !== undefined) closeSync(file);
    }
    release();
  };
  return {
    dialect: "sqlite",
    ids: options.reads.ids,
    read: reads.reader,
    scan: scans.reader(),
    write: (work) => commits.write(work),
    merged: (unit) => {
      const write: Database["write"] = (work) => commits.write(work);
      const { queueLimit } = options;
      const merge = new MergedWrites(unit, { write, queueLimit });
      merges.push(merge);
      return async (item) => {
        if (closing !== undefined) throw new StorageError("Cannot write: the database is closed");
        return merge.write(item);
      };
    },
    close: () => (closing ??= close()),
  };
}

async function migrate(
  writer: SqliteConnection,
  directory: string,
  options: SqliteOptions,
  mayMigrate: boolean,
): Promise<void> {
  const context: MigrationContext = {
    dialect: "sqlite",
    async run(statement) {
      const { text, parameters } = render(statement, "sqlite");
      writer.run(text, parameters);
    },
    async all<Row>(statement: Parameters<MigrationContext["all"]>[0]) {
      const { text, parameters } = render(statement, "sqlite");
      return writer.run(text, parameters).rows as Row[];
    },
  };
  const applied = await appliedMigrations(context);
  const [next] = pendingMigrations(options.migrations, applied);
  if (next === undefined) return;
  if (!mayMigrate) {
    throw new SchemaMismatchError(
      `Cannot use this database yet: it lacks migration "${next.name}", and another svc serves it`,
    );
  }
  if (applied.length > 0) {
    const bytes = statSync(options.path).size;
    if (bytes >= noticedBytes) await options.onMigrating(bytes);
    const backups = options.backupDirectory ?? join(directory, "backups");
    copyBeforeMigration(writer, backups, next.name, options.now());
  }
  writer.execute("begin exclusive");
  try {
    const ran = await runMigrations({
      migrations: options.migrations,
      context,
      now: options.now,
    });
    writer.execute("commit");
    // All that was moved stands in the log, which no start should have to wait for.
    if (applied.length > 0) writer.execute("pragma wal_checkpoint(truncate)");
    options.onMigrated(ran);
  } catch (error) {
    if (writer.inTransaction) writer.execute("rollback");
    throw error;
  }
}

/** SQLite goes on without a log where the file system can't share memory, and then nothing holds. */
function refuseWithoutLog(connection: SqliteConnection, directory: string): void {
  const mode = String(connection.run("pragma journal_mode", []).rows[0]?.["journal_mode"]);
  if (mode === "wal") return;
  throw new StorageError(
    `Cannot keep a write-ahead log in ${directory}: wanted a local file system, not a network one`,
  );
}

/** Files keep the page size that they were made with. */
function pageBytes(connection: SqliteConnection): number {
  return Number(connection.run("pragma page_size", []).rows[0]?.["page_size"]);
}

/** JSONB came with 3.45; a system's own library (macOS) may be older. */
function refuseOldSqlite(connection: SqliteConnection): void {
  const version = String(
    connection.run("select sqlite_version() as version", []).rows[0]?.["version"],
  );
  if (Bun.semver.order(version, "3.45.0") >= 0) return;
  throw new StorageError(`Cannot use SQLite ${version}: wanted 3.45 or newer`);
}
