import { chmodSync, closeSync, fstatSync, mkdirSync, openSync, statSync } from "node:fs";
import { statfs } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { shareOf, type Scope } from "../../kit/scope.ts";
import type { Database, DatabaseView, Reader, Scanner, Writer } from "../database.ts";
import { DetachedFileError, SchemaMismatchError, StorageError } from "../../kit/storage-errors.ts";
import { MergedWrites } from "../merged-writes.ts";
import {
  appliedMigrations,
  migrationContext,
  pendingMigrations,
  runMigrations,
} from "../run-migrations.ts";
import type { OpenOptions } from "../open-options.ts";
import { scanPermits } from "../scan-permits.ts";
import { copyBeforeMigration } from "./backup.ts";
import { Checkpointer } from "./checkpointer.ts";
import { SqliteConnection } from "./sqlite-connection.ts";
import { lockDirectory } from "./directory-lock.ts";
import { GroupCommit } from "./group-commit.ts";
import { noteClosed } from "./log/log-copier.ts";
import { LogSync } from "./log-sync.ts";
import { inSnapshot } from "./snapshot.ts";
import { commonPragmas, SqliteReads } from "./reads.ts";
import { ScanPool } from "./scan-pool.ts";
import { keptPromise } from "../../kit/background.ts";

const mebibyte = 1024 * 1024;
/** Writers wait until a write-ahead log of this size restarts. */
const largeBytes = 128 * mebibyte;

/**
 * A restart of the log waits `endMs` for the running scans, and may then take `workMs`: together
 * less than the four seconds after which a waiting scan is refused.
 */
const scansPause = { endMs: 2_000, workMs: 1_500 };

/** A scan may sort all records of a type: what exceeds its cache goes to an unnamed file. */
const scanPragmas = ["query_only = on", "temp_store = file", "cache_size = -8192"];

const writerPragmas = [
  "cache_size = -24576",
  // A migration may sort all records for an index.
  "temp_store = file",
  // For a new file. A write logs one page for each index that it changes.
  "page_size = 4096",
  "journal_mode = wal",
  // FULL during migrations; later `LogSync` syncs, without blocking.
  "synchronous = full",
  "foreign_keys = on",
  // Removed content is overwritten, so that a purge leaves nothing of it in the file.
  "secure_delete = on",
  // The size of the log under load: to extend the file again makes each sync slower.
  `journal_size_limit = ${2 * largeBytes}`,
  // This is a fallback: the checkpointer keeps the log far below this number of pages.
  "wal_autocheckpoint = 131072",
];

/** A copy and a migration of a file of this size take noticeable time. */
const noticedBytes = 64 * mebibyte;

/** Opens (creates, migrates) an SQLite database. Its directory is the data directory. */
export async function openSqlite(file: string, options: OpenOptions): Promise<Database> {
  const path = resolve(file);
  const directory = dirname(path);
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const lock = takeLock(`${path}.lock`, directory, options.isExclusive);
  let writer: SqliteConnection | undefined;
  try {
    writer = new SqliteConnection(path, { readonly: false });
    // It has password hashes and sessions.
    chmodSync(path, 0o600);
    for (const pragma of [...commonPragmas, ...writerPragmas]) writer.execute(`pragma ${pragma}`);
    refuseOldSqlite(writer);
    refuseWithoutLog(writer, directory);
    if (options.maximumBytes !== undefined) {
      const pages = Math.ceil(options.maximumBytes / pageBytes(writer));
      writer.execute(`pragma max_page_count = ${pages}`);
    }
    await migrate(writer, path, options, lock !== undefined);
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

/** A tool next to a running platform works without the lock, and may then not migrate. */
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
  options: OpenOptions,
  release: () => void,
): Database {
  const { queueLimit, copies } = options;
  const reads = new SqliteReads(path, options.reads);
  // Checkpoints need it, and only the platform makes them.
  const file = options.isExclusive ? openSync(path, "r+") : undefined;

  writer.execute("pragma synchronous = normal");
  // The statement journal: in a file it takes half of a batch's time. (In a savepoint of a thousand
  // statements each statement would read all of it.)
  if (!options.sortsInFile) writer.execute("pragma temp_store = memory");
  const log = new LogSync(`${path}-wal`);
  const commits = new GroupCommit(writer, {
    queueLimit,
    batchLimit: 1_000,
    unitTimeoutMs: options.unitTimeoutMs,
    onCommit: () => {
      options.reads.commits.raise();
      checkpointer.noteCommit();
    },
    sync: async () => {
      await log.sync();
      if (file !== undefined) requireAttached(file, path);
    },
  });
  let isLost = false;
  const permits = scanPermits(queueLimit);
  const checkpointer = new Checkpointer({
    walPath: `${path}-wal`,
    smallBytes: 16 * mebibyte,
    largeBytes,
    pageBytes: pageBytes(writer),
    intervalMs: 50,
    // Lazy, so that the worker's module stays a separate file in the compiled program.
    start: async () =>
      (await import("./checkpoint-worker.ts")).startCheckpointWorker(
        path,
        [...commonPragmas, "synchronous = full"],
        file,
        copies,
      ),
    copies: copies !== undefined,
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
        // A reader that still uses the log would prevent its restart.
        reads.endTick();
      }),
  });
  const scans = new ScanPool({
    permits,
    timeLimitMs: options.scanTimeLimitMs,
    start: async (stopped) =>
      (await import("./scan-worker.ts")).startScanWorker(
        path,
        [...commonPragmas, ...scanPragmas],
        stopped,
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
    // The last connection moves the log into the file and removes it. After a loss the log stays:
    // the next start moves it again.
    if (!isLost) {
      writer.close();
      if (copies !== undefined) noteClosed(copies.folder, path);
      // It comes last: closing a descriptor of a file releases all locks of the process.
      if (file !== undefined) closeSync(file);
    }
    release();
  };
  const read = Object.assign(reads.reader, { tuning: options.tuning });
  const write: Write = (scope, work) => commits.write(work, shareOf(scope));
  return {
    dialect: "sqlite",
    // The statements name their workspaces; SQLite has no policies that would hold them to a scope.
    in: (scope) => new ScopedView(read, scope, write, scans, path),
    tuning: options.tuning,
    ids: options.reads.ids,
    merged: (unit) => {
      const merge = new MergedWrites(unit, {
        write,
        queueLimit,
        tuning: options.tuning,
      });
      merges.push(merge);
      return (item, scope) =>
        closing === undefined
          ? merge.write(item, scope)
          : Promise.reject(new StorageError("Cannot write: the database is closed"));
    },
    writeFailure: () => commits.failure,
    freeBytes: async () => {
      const { bavail, bsize } = await statfs(dirname(path));
      return bavail * bsize;
    },
    emptyLog: () => checkpointer.empty(),
    ...(copies !== undefined && { copyLog: (request) => checkpointer.copyLog(request) }),
    load: () => [
      { pool: "scans", ...permits.load },
      { pool: "writes", waiting: commits.waiting },
    ],
    close: () => (closing ??= keptPromise(close())),
  };
}

/** Before each answer to a batch: what goes into a removed file is lost at the next start. */
function requireAttached(descriptor: number, path: string): void {
  const open = fstatSync(descriptor);
  const named = statSync(path, { throwIfNoEntry: false });
  if (open.nlink === 0 || named?.ino !== open.ino || named.dev !== open.dev) {
    throw new DetachedFileError(path);
  }
}

/** Each request has one, and a class costs less than an object with a getter. */
class ScopedView implements DatabaseView {
  constructor(
    readonly read: Reader,
    private readonly scope: Scope,
    private readonly writeIn: Write,
    private readonly scans: ScanPool,
    private readonly path: string,
  ) {}

  get scan(): Scanner {
    return this.scans.reader(this.scope.caller);
  }

  readonly write: DatabaseView["write"] = (work) => this.writeIn(this.scope, work);

  readonly snapshot: DatabaseView["snapshot"] = (work) => inSnapshot(this.path, work);
}

type Write = <T>(scope: Scope, work: (writer: Writer) => Promise<T>) => Promise<T>;

async function migrate(
  writer: SqliteConnection,
  path: string,
  options: OpenOptions,
  mayMigrate: boolean,
): Promise<void> {
  const { migrations, now } = options;
  const context = migrationContext("sqlite", (text, parameters) => writer.run(text, parameters));
  const applied = await appliedMigrations(context);
  const [next] = pendingMigrations(migrations, applied);
  if (next === undefined) return;
  if (!mayMigrate) {
    throw new SchemaMismatchError(
      `Cannot use this database yet: it lacks migration "${next.name}", and another svc serves it`,
    );
  }
  if (applied.length > 0) {
    const bytes = statSync(path).size;
    if (bytes >= noticedBytes) await options.onMigrating(bytes);
    const backups = options.backupDirectory ?? join(dirname(path), "backups");
    copyBeforeMigration(writer, backups, next.name, now());
  }
  writer.execute("begin exclusive");
  try {
    const ran = await runMigrations(context, migrations, now);
    writer.execute("commit");
    // No later start waits for what the migrations wrote to the log.
    if (applied.length > 0) writer.execute("pragma wal_checkpoint(truncate)");
    options.onMigrated(ran);
  } catch (error) {
    if (writer.inTransaction) writer.execute("rollback");
    throw error;
  }
}

/** SQLite uses no log on a file system without shared memory, and is not durable there. */
function refuseWithoutLog(connection: SqliteConnection, directory: string): void {
  if (String(valueOf(connection, "pragma journal_mode")) === "wal") return;
  throw new StorageError(
    `Cannot keep a write-ahead log in ${directory}: expected a local file system, not a network one`,
  );
}

/** Files keep the page size that they were created with. */
function pageBytes(connection: SqliteConnection): number {
  return Number(valueOf(connection, "pragma page_size"));
}

/** JSONB needs 3.45; a system's own library (macOS) may be older. */
function refuseOldSqlite(connection: SqliteConnection): void {
  const version = String(valueOf(connection, "select sqlite_version()"));
  if (Bun.semver.order(version, "3.45.0") >= 0) return;
  throw new StorageError(`Cannot use SQLite ${version}: expected 3.45 or newer`);
}

function valueOf(connection: SqliteConnection, text: string): unknown {
  const [row = {}] = connection.run(text, []).rows;
  return Object.values(row)[0];
}
