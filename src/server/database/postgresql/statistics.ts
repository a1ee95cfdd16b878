import type { PostgresqlPool } from "./pool.ts";

export interface StatisticsOptions {
  /** One connection; its statement time limit is that of one table. */
  readonly pool: PostgresqlPool;
  /** Between two looks at what has changed. */
  readonly intervalMs?: number;
}

const defaultIntervalMs = 2_000;
/** Sessions tell the server what they changed at the latest so long after they did. */
const settledMs = 12_000;
/** A table is looked at again when so much of it has changed, as the server itself would do. */
const changedShare = 0.1;
const changedRows = 1_000;
/** After some work, so many times as long without any: at most a tenth of one processor. */
const restFactor = 10;
const tablesAtOnce = 10;
const closeLimitMs = 500;

/**
 * Keeps PostgreSQL's statistics up with bulk writes. The server does so too, but up to a minute
 * later, and until then its plans are those for the tables as they were: empty, maybe.
 */
export class PostgresqlStatistics {
  readonly #pool: PostgresqlPool;
  readonly #intervalMs: number;
  #lastWriteMs = Number.NEGATIVE_INFINITY;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #running: Promise<void> | undefined;
  #cancel: (() => void) | undefined;
  #isClosed = false;

  constructor({ pool, intervalMs = defaultIntervalMs }: StatisticsOptions) {
    this.#pool = pool;
    this.#intervalMs = intervalMs;
  }

  /** After each unit that may have written. A platform that nobody writes to asks for nothing. */
  noteWrite(): void {
    this.#lastWriteMs = performance.now();
    if (this.#timer === undefined && this.#running === undefined) this.#schedule(this.#intervalMs);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    this.#cancel?.();
    // What does not end at once ends with its connection: nobody waits for statistics.
    await Promise.race([this.#running, Bun.sleep(closeLimitMs)]);
  }

  #schedule(pauseMs: number): void {
    if (this.#isClosed) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      const beganMs = performance.now();
      this.#running = this.#analyzeChanged()
        // The server does it sooner or later; the next write tries again.
        .catch(() => false)
        .then((hasWorked) => {
          this.#running = undefined;
          const now = performance.now();
          if (hasWorked) this.#schedule(Math.max(this.#intervalMs, (now - beganMs) * restFactor));
          else if (now - this.#lastWriteMs < settledMs) this.#schedule(this.#intervalMs);
        });
    }, pauseMs);
    this.#timer.unref();
  }

  /** Whether there was anything to do. */
  #analyzeChanged(): Promise<boolean> {
    return this.#pool.reserve(async (session) => {
      const { rows } = await session.execute(changedTables, [changedRows, changedShare]);
      for (const { name } of rows) {
        if (this.#isClosed) break;
        // Passed by where the server, or another platform, is at it.
        await session.execute(`analyze (skip_locked) ${String(name)}`, [], (stop) => {
          this.#cancel = stop;
        });
      }
      this.#cancel = undefined;
      return rows.length > 0;
    });
  }
}

const changedTables = `select quote_ident(changed.relname) as name
  from pg_stat_user_tables as changed join pg_class on pg_class.oid = changed.relid
  where changed.schemaname = current_schema()
    and pg_get_userbyid(pg_class.relowner) = current_user
    and changed.n_mod_since_analyze >= $1::bigint + $2::float8 * greatest(pg_class.reltuples, 0)
  order by changed.n_mod_since_analyze desc limit ${tablesAtOnce}`;
