import { everyWorkspace } from "../../kit/scope.ts";
import { StorageError } from "../../kit/storage-errors.ts";
import type { OpenOptions } from "../open-options.ts";
import { migrationContext, runMigrations } from "../run-migrations.ts";
import { scanCount } from "../scan-permits.ts";
import { PostgresqlPool, type PoolOptions } from "./pool.ts";
import { roleForStatements, secureTables, sessionMark, setPlatformScope } from "./row-security.ts";
import { isRefusedSetting, requireTransactions } from "./sessions.ts";

/** The advisory lock of migrations: `svc` in ASCII. */
const migrationLock = 0x737663;

/** How long a start waits for the migrations of another process. */
const migrationWaitMs = 300_000;

const readLimitMs = 10_000;
const pageLimitMs = 5_000;

const pageConnections = 5;

const statisticsLimitMs = 60_000;

/** The connections of one platform: 20 at most, with 5 each for writes, reads and pages. */
export interface Pools {
  /** The owner of the tables; all other statements are under row-level security. */
  readonly owner: PostgresqlPool;
  readonly upkeep: PostgresqlPool;
  readonly writes: PostgresqlPool;
  readonly reads: PostgresqlPool;
  readonly pages: PostgresqlPool;
  readonly scans: PostgresqlPool;
}

export interface OpenedPools {
  readonly pools: Pools;
  /** The role of the statements; undefined for that of the URL. */
  readonly role: string | undefined;
  /** Settings of the server with which acknowledged writes may be lost, as clauses. */
  readonly risks: readonly string[];
  /** True if a connection pooler is between the platform and the server. */
  readonly isPooled: boolean;
}

/** Connects, migrates, and opens the pools; a failed start leaves no connection. */
export async function openPools(options: OpenOptions): Promise<OpenedPools> {
  const { poolSize, unitTimeoutMs, scanTimeLimitMs } = options;
  const { owner, shared } = await connectOwner(options);
  try {
    const role = await migrate(owner, options);
    const readAheadPages = await pagesToReadAhead(owner);
    const risks = await durabilityRisks(owner);
    const reading = { ...shared, role, isReadonly: true };
    const pools: Pools = {
      owner,
      // A read-only session may run ANALYZE.
      upkeep: new PostgresqlPool({
        ...shared,
        connections: 1,
        isReadonly: true,
        statementTimeoutMs: statisticsLimitMs,
      }),
      writes: new PostgresqlPool({
        ...shared,
        role,
        connections: poolSize,
        isReadonly: false,
        statementTimeoutMs: unitTimeoutMs,
        plans: "by-any-index",
      }),
      reads: new PostgresqlPool({
        ...reading,
        connections: poolSize,
        statementTimeoutMs: readLimitMs,
      }),
      pages: new PostgresqlPool({
        ...reading,
        connections: Math.min(poolSize, pageConnections),
        statementTimeoutMs: pageLimitMs,
        plans: "along-an-index",
      }),
      scans: new PostgresqlPool({
        ...reading,
        connections: scanCount,
        statementTimeoutMs: scanTimeLimitMs + 1_000,
        plans: "by-values",
        readAheadPages,
      }),
    };
    return { pools, role, risks, isPooled: shared.mark === undefined };
  } catch (error) {
    await owner.close();
    throw error;
  }
}

export async function closePools(pools: Pools): Promise<void> {
  await Promise.all(Object.values(pools).map((pool: PostgresqlPool) => pool.close()));
}

type Shared = Pick<PoolOptions, "url" | "queueLimit" | "idleSeconds" | "mark" | "source">;

/** Connects in own sessions, or through a pooler, where such sessions are not possible. */
async function connectOwner(
  options: OpenOptions,
): Promise<{ readonly owner: PostgresqlPool; readonly shared: Shared }> {
  const { url, queueLimit, idleSeconds, unitTimeoutMs, sessions: source } = options;
  const open = async (mark: string | undefined) => {
    const shared: Shared = { url, queueLimit, idleSeconds, mark, source };
    const statementTimeoutMs = unitTimeoutMs;
    const pool = { ...shared, connections: 1, isReadonly: false, statementTimeoutMs };
    const owner = new PostgresqlPool(pool);
    try {
      const { rows } = await owner.ask(sessionState);
      requireUnicode(String(rows[0]?.["encoding"]));
      return { owner, shared, isMarked: rows[0]?.["mark"] === mark };
    } catch (error) {
      await owner.close();
      throw error;
    }
  };
  const own = await open(source?.mark ?? crypto.randomUUID()).catch((error: unknown) => {
    if (isRefusedSetting(error)) return undefined;
    throw error;
  });
  if (own?.isMarked === true) return own;
  await own?.owner.close();
  await requireTransactions(url);
  return open(undefined);
}

const sessionState = `select current_setting('server_encoding') as encoding,
  current_setting('${sessionMark}', true) as mark`;

/** Other encodings cannot store most texts, or count bytes as characters. */
function requireUnicode(name: string): void {
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
    await session.execute("begin isolation level read committed read write", []);
    try {
      await session.execute("set local synchronous_commit = on", []);
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
