import { SQL, type ReservedSQL } from "bun";
import type { Scope } from "../../kit/scope.ts";
import { StorageError } from "../../kit/storage-errors.ts";
import { Permits } from "../../kit/turns/permits.ts";
import type { Executed } from "../reader.ts";
import type { BoundParameter } from "../statement.ts";
import { connectingFailure, postgresqlFailure } from "./driver-errors.ts";
import { scopeSetting, setScope } from "./row-security.ts";
import { keptPromise } from "../../kit/background.ts";

export interface PoolOptions {
  readonly url: string;
  readonly connections: number;
  readonly queueLimit: number;
  readonly isReadonly: boolean;
  readonly statementTimeoutMs: number;
  /** The role that the statements run as; that of the URL without. */
  readonly role?: string | undefined;
  /** How the server plans the statements; its own choice without. */
  readonly plans?: keyof typeof planSettings;
  /** Pages of a table that the server reads ahead; its own setting without. */
  readonly readAheadPages?: number;
}

const planSettings = {
  /** A unit that reads a whole (small) table conflicts with every write to it, and runs again. */
  "by-any-index": { enable_seqscan: "off" },
  /**
   * The values of a filter or a search decide which index is best: a plan for any value reads a
   * whole table for a rare word. One server process each, since three would slow down all short
   * statements.
   */
  "by-values": { plan_cache_mode: "force_custom_plan", max_parallel_workers_per_gather: "0" },
  /**
   * Planned once, along the index that has the rows in order: planning takes longer than reading a
   * page. Never with a sort, which a plan for any value may choose because it expects few rows.
   */
  "along-an-index": {
    plan_cache_mode: "force_generic_plan",
    enable_sort: "off",
    enable_bitmapscan: "off",
    enable_seqscan: "off",
  },
} as const;

const waitLimitMs = 10_000;

/** A server that is silent so long after its statement timeout has stopped, or its line is dead. */
const silenceLimitMs = 2_000;
const silenceCheckMs = 500;

export interface Session {
  /** Runs one statement; `onSent` gets the function that cancels it. */
  execute(
    text: string,
    parameters: readonly BoundParameter[],
    onSent?: (stop: () => void) => void,
  ): Promise<Executed>;
}

/**
 * Connections of one kind, with a bounded queue. The scope is set before each statement or unit, in
 * the same round trip.
 */
export class PostgresqlPool {
  readonly #options: PoolOptions;
  readonly #permits: Permits;
  readonly #running = new Set<{ readonly untilMs: number }>();
  readonly #answerLimitMs: number;
  #sql: SQL;
  #watch: ReturnType<typeof setInterval> | undefined;

  constructor(options: PoolOptions) {
    this.#options = options;
    const { queueLimit } = options;
    this.#permits = new Permits({ count: options.connections, queueLimit, waitLimitMs });
    this.#answerLimitMs = options.statementTimeoutMs + silenceLimitMs;
    this.#sql = connect(options);
  }

  /** One statement in its own transaction. */
  execute(scope: Scope, text: string, parameters: readonly BoundParameter[]): Promise<Executed> {
    return this.reserve(scope, (session) => session.execute(text, parameters));
  }

  reserve<T>(scope: Scope, work: (session: Session) => Promise<T>): Promise<T> {
    return this.#reserve((connection) => {
      // No statement may follow that awaits it.
      let scoped: Promise<unknown> | undefined = keptPromise(
        this.#answered(execute(connection, setScope, [scopeSetting(scope)])),
      );
      return work({
        execute: async (text, parameters, onSent) => {
          const running = this.#answered(execute(connection, text, parameters, onSent));
          if (scoped === undefined) return running;
          const [executed] = await Promise.all([running, scoped]);
          scoped = undefined;
          return executed;
        },
      });
    });
  }

  /** Reserves a connection without a time limit: `work` lifts the server's statement timeout. */
  reserveForLong<T>(work: (session: Session) => Promise<T>): Promise<T> {
    return this.#reserve((connection) =>
      work({
        execute: (text, parameters, onSent) => execute(connection, text, parameters, onSent),
      }),
    );
  }

  get load(): Permits["load"] {
    return this.#permits.load;
  }

  async close(): Promise<void> {
    await this.#sql.close({ timeout: 5 });
  }

  #reserve<T>(work: (connection: ReservedSQL) => Promise<T>): Promise<T> {
    return this.#permits.hold(async () => {
      let connection: ReservedSQL;
      try {
        connection = await this.#answered(this.#sql.reserve());
      } catch (error) {
        throw connectingFailure(error);
      }
      try {
        return await work(connection);
      } finally {
        await connection.release();
      }
    });
  }

  /** Watches for an answer; silence counts as a lost connection. */
  async #answered<T>(running: Promise<T>): Promise<T> {
    const wait = { untilMs: performance.now() + this.#answerLimitMs };
    this.#running.add(wait);
    this.#watch ??= setInterval(() => this.#checkSilence(), silenceCheckMs).unref();
    try {
      return await running;
    } finally {
      this.#running.delete(wait);
    }
  }

  #checkSilence(): void {
    const [longest] = this.#running;
    if (longest === undefined) {
      clearInterval(this.#watch);
      this.#watch = undefined;
    } else if (longest.untilMs < performance.now()) {
      // Rejects what runs on the old connections as lost; the next calls open new ones.
      this.#running.clear();
      const silent = this.#sql;
      this.#sql = connect(this.#options);
      silent.close({ timeout: 0 }).catch(() => {});
    }
  }
}

function connect(options: PoolOptions): SQL {
  try {
    return new SQL(options.url, settingsOf(options));
  } catch (error) {
    // The URL may hold a password, which other errors than that of a parameter show.
    const isParameter = error instanceof Error && "code" in error && error.code === wrongParameter;
    const reason = isParameter ? error.message : expectedUrl;
    throw new StorageError(`Cannot use the database's URL: ${reason}`, { cause: error });
  }
}

const wrongParameter = "ERR_INVALID_ARG_VALUE";
const expectedUrl =
  'expected "postgres://user:password@host:port/name", with signs like # and % percent-encoded';

function settingsOf(options: PoolOptions): SQL.PostgresOrMySQLOptions {
  return {
    max: options.connections,
    connectionTimeout: 5,
    // int8 as bigint, so that none is rounded; `plainRow` converts those that fit.
    bigint: true,
    connection: {
      application_name: "svc",
      // A server, a role or a database may have it off, which loses acknowledged writes.
      synchronous_commit: "on",
      // Also ends statements of a process that has died.
      statement_timeout: String(options.statementTimeoutMs),
      idle_in_transaction_session_timeout: String(options.statementTimeoutMs * 2),
      default_transaction_read_only: options.isReadonly ? "on" : "off",
      default_transaction_isolation: options.isReadonly ? "read committed" : "serializable",
      ...(options.role !== undefined && { role: options.role }),
      // Compiling a filter over lists takes longer than running it.
      jit: "off",
      ...(options.plans && planSettings[options.plans]),
      ...(options.readAheadPages !== undefined && {
        effective_io_concurrency: String(options.readAheadPages),
      }),
    },
  };
}

async function execute(
  sql: SQL,
  text: string,
  parameters: readonly BoundParameter[],
  onSent?: (stop: () => void) => void,
): Promise<Executed> {
  try {
    const query = sql.unsafe<Record<string, unknown>[] & { count: number; command: string }>(text, [
      ...parameters,
    ]);
    onSent?.(() => {
      query.cancel().catch(() => {});
    });
    const result = await query;
    const rows: Record<string, unknown>[] = [];
    for (const row of result) rows.push(plainRow(row));
    return { rows, changedRows: result.command === "SELECT" ? 0 : result.count };
  } catch (error) {
    throw postgresqlFailure(error);
  }
}

function plainRow(row: Record<string, unknown>): Record<string, unknown> {
  for (const name in row) {
    const value = row[name];
    if (typeof value === "bigint") {
      const plain = Number(value);
      if (Number.isSafeInteger(plain)) row[name] = plain;
    } else if (Buffer.isBuffer(value)) {
      row[name] = new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
    }
  }
  return row;
}
