import { RecentMap } from "../../kit/recent-map.ts";
import { everyWorkspace, type Scope } from "../../kit/scope.ts";
import type { Database, DatabaseView, Reader, ScanOptions, Writer } from "../database.ts";
import { StorageError, callerGone, ScanStoppedError } from "../../kit/storage-errors.ts";
import { MergedWrites } from "../merged-writes.ts";
import type { OpenOptions } from "../open-options.ts";
import { scanPermits, scanTurn } from "../scan-permits.ts";
import { ExecutingReader, type Execute, type Executed } from "../reader.ts";
import type { PostgresqlPool } from "./pool.ts";
import { closePools, openPools } from "./pools.ts";
import { scopeSetting, unsecuredOwner } from "./row-security.ts";
import { PostgresqlStatistics } from "./statistics.ts";
import { runStatement, runUnit } from "./units.ts";
import { keptPromise } from "../../kit/background.ts";

/** Scopes whose requests share a reader: lookups of one workspace share a statement by it. */
const scopesAtMost = 10_000;

/** Opens (and migrates) a PostgreSQL database that exists. */
export async function openPostgresql(options: OpenOptions): Promise<Database> {
  const { queueLimit, unitTimeoutMs, scanTimeLimitMs, tuning } = options;
  const { pools, role, risks, isPooled } = await openPools(options);
  const { owner, upkeep, writes, reads, pages, scans } = pools;
  const statistics = new PostgresqlStatistics(upkeep);
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
  const scanWithin = (scope: Scope, limits: ScanOptions): Reader =>
    new ExecutingReader("postgresql", (text, parameters) =>
      whenOpen(async () => {
        const limitMs = limits.timeLimitMs ?? scanTimeLimitMs;
        const { release, timeLimitMs } = await scanTurn(permits, limits, scope.caller, limitMs);
        const within = { ...limits, timeLimitMs };
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
    snapshot: (work) =>
      whenOpen(() =>
        scans.snapshot(scope, ({ execute }) =>
          work(new ExecutingReader("postgresql", (text, values) => execute(text, values))),
        ),
      ),
  });
  return {
    dialect: "postgresql",
    risks,
    isPooled,
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
        Promise.all(merges.map((merge) => merge.idle()))
          .then(() => statistics.close())
          .then(() => closePools(pools)),
      )),
  };
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
