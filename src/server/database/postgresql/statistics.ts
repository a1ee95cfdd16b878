import { everyWorkspace } from "../../kit/scope.ts";
import type { PostgresqlPool } from "./pool.ts";
import { keptPromise } from "../../kit/background.ts";

const intervalMs = 2_000;
/** Sessions report their changes to the server within this time. */
const settledMs = 12_000;
/** A table is analyzed when so much of it has changed, as the server itself does. */
const changedShare = 0.1;
const changedRows = 1_000;
/** Pause after work, as a multiple of its time: at most a tenth of one processor. */
const restFactor = 10;
const tablesAtOnce = 10;
const closeLimitMs = 500;

/**
 * Updates PostgreSQL's statistics after bulk writes. The server does so up to a minute later, and
 * until then plans for the tables as they were, which may be empty.
 */
export class PostgresqlStatistics {
  #lastWriteMs = Number.NEGATIVE_INFINITY;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #running: Promise<void> | undefined;
  #cancel: (() => void) | undefined;
  #isClosed = false;

  /** The pool has one connection, whose statement timeout is the limit for one table. */
  constructor(private readonly pool: PostgresqlPool) {}

  /** Called after each unit that may have written; without writes there are no checks. */
  noteWrite(): void {
    this.#lastWriteMs = performance.now();
    if (this.#timer === undefined && this.#running === undefined) this.#schedule(intervalMs);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    this.#cancel?.();
    // A slow one ends with its connection.
    await Promise.race([this.#running, Bun.sleep(closeLimitMs)]);
  }

  #schedule(pauseMs: number): void {
    if (this.#isClosed) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      const beganMs = performance.now();
      // After a failure the next write tries again.
      const analyzed = this.#analyzeChanged().catch(() => false);
      this.#running = keptPromise(
        analyzed.then((hasWorked) => {
          this.#running = undefined;
          const now = performance.now();
          if (hasWorked) this.#schedule(Math.max(intervalMs, (now - beganMs) * restFactor));
          else if (now - this.#lastWriteMs < settledMs) this.#schedule(intervalMs);
        }),
      );
    }, pauseMs);
    this.#timer.unref();
  }

  /** True if it analyzed a table. */
  #analyzeChanged(): Promise<boolean> {
    return this.pool.reserve(everyWorkspace, async (session) => {
      const { rows } = await session.execute(changedTables, [changedRows, changedShare]);
      for (const { name } of rows) {
        if (this.#isClosed) break;
        // Skips a table that the server, or another platform, is analyzing.
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
