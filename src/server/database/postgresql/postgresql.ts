import { RecentMap } from "../../kit/recent-map.ts";
import { everyWorkspace, type Scope } from "../../kit/scope.ts";
import type { Database, DatabaseView, Reader, ScanOptions, Writer } from "../database.ts";
import { StorageError, callerGone, ScanStoppedError } from "../../kit/storage-errors.ts";
import { MergedWrites } from "../merged-writes.ts";
import { migrationContext, runMigrations } from "../run-migrations.ts";
import type { OpenOptions } from "../open-options.ts";
import { scanCount, scanPermits } from "../scan-permits.ts";
import { ExecutingReader, type Execute, type Executed } from "../reader.ts";
import { PostgresqlPool } from "./pool.ts";
import {
  roleForStatements,
  scopeSetting,
  secureTables,
  setPlatformScope,
  unsecuredOwner,
} from "./row-security.ts";
import { PostgresqlStatistics } from "./statistics.ts";
import { runStatement, runUnit } from "./units.ts";
import { keptPromise } from "../../kit/background.ts";

/** The advisory lock of migrations: `svc` in ASCII. */
const migrationLock = 0x737663;

/** How long a start waits for the migrations of another process. */
const migrationWaitMs = 300_000;

const readLimitMs = 10_000;
const pageLimitMs = 5_000;

const pageConnections = 6;

const statisticsLimitMs = 60_000;

/** Scopes whose requests share a reader: lookups of one workspace share a statement by it. */
const scopesAtMost = 10_000;

/** Opens (and migrates) a PostgreSQL database that exists. */
export async function openPostgresql(options: OpenOptions): Promise<Database> {
  const { url, queueLimit, poolSize, unitTimeoutMs, scanTimeLimitMs, tuning } = options;
  const shared = { url, queueLimit };
  // The owner of the tables; all other statements are under row-level security.
  const owner = new PostgresqlPool({
    ...shared,
    connections: 1,
    isReadonly: false,
    statementTimeoutMs: unitTimeoutMs,
  });
  // A read-only session may run ANALYZE.
  const upkeep = new PostgresqlPool({
    ...shared,
    connections: 1,
    isReadonly: true,
    statementTimeoutMs: statisticsLimitMs,
  });
  const statistics = new PostgresqlStatistics(upkeep);
  const pools = [owner, upkeep];
  const closeAll = async (): Promise<void> => {
    await statistics.close();
    await Promise.all(pools.map((pool) => pool.close()));
  };
  let readAheadPages: number;
  let risks: readonly string[];
  let role: string | undefined;
  try {
    await requireUnicode(owner);
    role = await migrate(owner, options);
    readAheadPages = await pagesToReadAhead(owner);
    risks = await durabilityRisks(owner);
  } catch (error) {
    await closeAll();
    throw error;
  }
  const application = { ...shared, role };
  const writes = new PostgresqlPool({
    ...application,
    connections: poolSize,
    isReadonly: false,
    statementTimeoutMs: unitTimeoutMs,
    plans: "by-any-index",
  });
  const reads = new PostgresqlPool({
    ...application,
    connections: poolSize,
    isReadonly: true,
    statementTimeoutMs: readLimitMs,
  });
  const pages = new PostgresqlPool({
    ...application,
    connections: Math.min(poolSize, pageConnections),
    isReadonly: true,
    statementTimeoutMs: pageLimitMs,
    plans: "along-an-index",
  });
  const scans = new PostgresqlPool({
    ...application,
    connections: scanCount,
    isReadonly: true,
    statementTimeoutMs: scanTimeLimitMs + 1_000,
    plans: "by-values",
    readAheadPages,
  });
  pools.push(writes, reads, pages, scans);

  let closing: Promise<void> | undefined;
  const whenOpen = <T>(work: () => Promise<T>): Promise<T> =>
    closing === undefined
      ? work()
      : Promise.reject(new StorageError("Cannot use the database: it is closed"));
  const noteWrite = (): void => {
    if (tuning.analyzesTables) statistics.noteWrite();
  };
  const write = <T>(scope: Scope, work: (writer: Writer) => Promise<T>): Promise<T> =>
    runUnit(writes, scope, work, unitTimeoutMs).finally(noteWrite);
  const writeOnce = <T>(scope: Scope, work: (writer: Writer) => Promise<T>): Promise<T> =>
    runStatement(writes, scope, work).finally(noteWrite);
  const over = (pool: PostgresqlPool, scope: Scope): Reader =>
    new ExecutingReader("postgresql", (text, parameters) =>
      whenOpen(() => pool.execute(scope, text, parameters)),
    );
  const merges: { idle(): Promise<void> }[] = [];
  const permits = scanPermits(queueLimit);
  const scanWithin = (scope: Scope, { share = "", ...limits }: ScanOptions): Reader =>
    new ExecutingReader("postgresql", (text, parameters) =>
      whenOpen(async () => {
        const release = await permits.take(share, limits.signal, scope.caller);
        const within = { timeLimitMs: scanTimeLimitMs, ...limits };
        const { answer, ended } = scan({ scans, owner, scope }, text, parameters, within);
        ended.then(release, release);
        return answer;
      }),
    );
  const readersByScope = new RecentMap<string, Reader>(scopesAtMost);
  const readerIn = (scope: Scope): Reader => {
    const name = scopeSetting(scope);
    let reader = readersByScope.get(name);
    if (reader === undefined) {
      reader = Object.assign(over(reads, scope), { pages: over(pages, scope), tuning });
      readersByScope.set(name, reader);
    }
    return reader;
  };
  const view = (scope: Scope): DatabaseView => ({
    get read() {
      return readerIn(scope);
    },
    get scan() {
      return Object.assign(scanWithin(scope, {}), {
        with: (limits: ScanOptions) => scanWithin(scope, limits),
      });
    },
    write: (work) => whenOpen(() => write(scope, work)),
  });
  return {
    dialect: "postgresql",
    risks,
    ...(role === undefined && { unsecured: unsecuredOwner }),
    tuning,
    ids: options.reads.ids,
    load: () =>
      Object.entries({ writes, reads, pages, scans }).map(([pool, { load }]) => ({
        pool,
        ...load,
      })),
    in: view,
    merged: (unit) => {
      const merge = new MergedWrites(unit, { write, writeOnce, queueLimit, tuning });
      merges.push(merge);
      return (item, scope) => whenOpen(() => merge.write(item, scope));
    },
    close: () =>
      (closing ??= keptPromise(
        Promise.all(merges.map((merge) => merge.idle())).then(() => closeAll()),
      )),
  };
}

/** Other encodings cannot store most texts, or count bytes as characters. */
async function requireUnicode(pool: PostgresqlPool): Promise<void> {
  const { rows } = await pool.execute(
    everyWorkspace,
    "select current_setting('server_encoding') as name",
    [],
  );
  const name = String(rows[0]?.["name"]);
  if (name === "UTF8") return;
  throw new StorageError(
    `Cannot use a database with the encoding ${name}: expected one created with ` +
      "encoding 'UTF8' template template0",
  );
}

/** Settings that only the server's operator can change. */
async function durabilityRisks(pool: PostgresqlPool): Promise<string[]> {
  const { rows } = await pool.execute(
    everyWorkspace,
    `select name from pg_settings
     where name in ('fsync', 'full_page_writes') and setting = 'off' order by name`,
    [],
  );
  return rows.map(({ name }) => `the PostgreSQL server has ${String(name)}=off`);
}

/** A search reads hundreds of scattered pages, by default one by one from the disk. */
async function pagesToReadAhead(pool: PostgresqlPool): Promise<number> {
  const { rows } = await pool.execute(everyWorkspace, readAheadSetting, []);
  const [set] = rows;
  // A server whose system cannot read ahead refuses any other number.
  if (set === undefined || set["supported"] === false) return 0;
  return Math.max(leastReadAheadPages, Number(set["pages"]));
}

const leastReadAheadPages = 32;
const readAheadSetting = `select boot_val <> '0' as supported, setting::int as pages
  from pg_settings where name = 'effective_io_concurrency'`;

/**
 * Several processes may start on one database: one migrates, the others wait for it. Returns the
 * role for the statements.
 */
async function migrate(pool: PostgresqlPool, options: OpenOptions): Promise<string | undefined> {
  return pool.reserveForLong(async (session) => {
    const context = migrationContext("postgresql", (text, parameters) =>
      session.execute(text, parameters),
    );
    await session.execute("begin isolation level read committed", []);
    try {
      // The limit of a unit is too short to wait for another process, or to index a large table.
      await session.execute("set local statement_timeout = 0", []);
      await session.execute(`set local lock_timeout = ${migrationWaitMs}`, []);
      await session.execute(`select pg_advisory_xact_lock(${migrationLock})`, []);
      await session.execute(setPlatformScope, []);
      const ran = await runMigrations(context, options.migrations, options.now);
      await secureTables(session);
      const role = await roleForStatements(session);
      await session.execute("commit", []);
      if (ran.length > 0) options.onMigrated(ran);
      return role;
    } catch (error) {
      await session.execute("rollback", []).catch(() => {});
      throw error;
    }
  });
}

/** One scan: `answer` rejects at once when it is stopped, `ended` resolves when it has ended. */
function scan(
  {
    scans,
    owner,
    scope,
  }: { readonly scans: PostgresqlPool; readonly owner: PostgresqlPool; readonly scope: Scope },
  text: string,
  parameters: Parameters<Execute>[1],
  { signal, timeLimitMs }: ScanOptions & { readonly timeLimitMs: number },
): { readonly answer: Promise<Executed>; readonly ended: Promise<void> } {
  const stopped = Promise.withResolvers<never>();
  let isStopped = false;
  let cancel = (): void => {};
  const stop = (error: ScanStoppedError): void => {
    if (isStopped) return;
    isStopped = true;
    stopped.reject(error);
    cancel();
  };
  const onAbort = (): void => stop(callerGone());
  const timer = setTimeout(
    () => stop(new ScanStoppedError("The scan was stopped: it took too long", "time-limit")),
    timeLimitMs,
  );
  signal?.addEventListener("abort", onAbort);
  if (signal?.aborted === true) onAbort();
  const running = scans.reserve(scope, async (session) => {
    if (isStopped) return stopped.promise;
    // Sent with the scan: no extra round trip.
    const backend = session.execute("select pg_backend_pid() as pid", []);
    const scanned = session.execute(text, parameters);
    let isOver = false;
    let cancelling: Promise<void> | undefined;
    cancel = () => {
      cancelling = keptPromise(cancelUntil(() => isOver, owner, backend));
    };
    try {
      const [executed] = await Promise.all([scanned, backend]);
      return executed;
    } finally {
      isOver = true;
      // A late request would cancel the next scan on this connection.
      await cancelling;
    }
  });
  const answer = keptPromise(
    Promise.race([stopped.promise, running]).finally(() => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", onAbort);
    }),
  );
  const end = (): void => {};
  return { answer, ended: running.then(end, end) };
}

/** Repeats the cancel request: one that arrives before the statement is lost. */
async function cancelUntil(
  isOver: () => boolean,
  pool: PostgresqlPool,
  backend: Promise<Executed>,
): Promise<void> {
  const pid = await backend.then(
    ({ rows }) => Number(rows[0]?.["pid"]),
    () => undefined,
  );
  while (pid !== undefined && !isOver()) {
    await pool.execute(everyWorkspace, "select pg_cancel_backend($1::int)", [pid]).catch(() => {});
    if (!isOver()) await Bun.sleep(cancelPauseMs);
  }
}

const cancelPauseMs = 50;
