import { SQL, type ReservedSQL } from "bun";
import {
  ConnectionLostError,
  DuplicateError,
  ForeignKeyError,
  ScanStoppedError,
  StorageError,
  StorageFullError,
} from "../errors.ts";
import type { Executed } from "../reader.ts";
import { Permits } from "../permits.ts";
import type { BoundParameter } from "../statement.ts";

export interface PoolOptions {
  readonly url: string;
  readonly connections: number;
  readonly queueLimit: number;
  readonly isReadonly: boolean;
  readonly statementTimeoutMs: number;
  /** How statements are planned, where the server's own choice is not the best. */
  readonly plans?: keyof typeof planSettings;
  /** Statements that are sent ahead on a connection, behind the one that runs there. Default 0. */
  readonly statementsAhead?: number;
  /** Of a table, what the server asks its disk for before it is wanted; its own setting without. */
  readonly readAheadPages?: number;
}

const planSettings = {
  /**
   * A unit that reads through a whole table, as is quickest with a small one, meets everybody who
   * writes to it, and runs again; by an index it meets those whose rows lie near.
   */
  "by-any-index": { enable_seqscan: "off" },
  /**
   * Each time by its values: what a filter or a search asks for decides which index is best. A plan
   * for any value reads a whole table for a rare word. And each by one process of the server, which
   * would take three for what is long, and then all processors from everybody's short statements.
   */
  "by-values": { plan_cache_mode: "force_custom_plan", max_parallel_workers_per_gather: "0" },
  /**
   * Once, along the index that has the rows in order: to plan takes longer than to read a page. And
   * never by putting rows in order, which is for few rows, as a plan for any value may take them to be.
   */
  "along-an-index": {
    plan_cache_mode: "force_generic_plan",
    enable_sort: "off",
    enable_bitmapscan: "off",
    enable_seqscan: "off",
  },
} as const;

/** What the caller waits for a free connection before it is refused. */
const waitLimitMs = 10_000;

/**
 * After its own time limit, the server has so long to say that it was reached. If it does not it has
 * stopped, or the line is dead and nobody has told us.
 */
const silenceLimitMs = 2_000;
const silenceCheckMs = 500;

/** Statements on one connection. */
export interface Session {
  /** Runs one statement; `onSent` is given what makes the server stop it. */
  execute(
    text: string,
    parameters: readonly BoundParameter[],
    onSent?: (stop: () => void) => void,
  ): Promise<Executed>;
}

/**
 * Connections of one kind, with a bound on who waits for them. A statement runs alone on its
 * connection unless all of its kind are quick: a slow one holds up those that Bun has sent behind it.
 */
export class PostgresqlPool {
  readonly #options: PoolOptions;
  readonly #permits: Permits;
  readonly #running = new Set<{ readonly untilMs: number }>();
  readonly #answerLimitMs: number;
  #sql: SQL;
  #watch: ReturnType<typeof setInterval> | undefined;

  constructor(options: PoolOptions) {
    const atOnce = 1 + (options.statementsAhead ?? 0);
    this.#options = options;
    const { queueLimit } = options;
    this.#permits = new Permits({ count: options.connections * atOnce, queueLimit, waitLimitMs });
    this.#answerLimitMs = options.statementTimeoutMs * atOnce + silenceLimitMs;
    this.#sql = connect(options);
  }

  /** One statement in its own transaction. */
  execute(text: string, parameters: readonly BoundParameter[]): Promise<Executed> {
    return this.#permits.hold(() => this.#answered(execute(this.#sql, text, parameters)));
  }

  /** A connection for as long as `work` takes. */
  reserve<T>(work: (session: Session) => Promise<T>): Promise<T> {
    return this.#reserve((connection) =>
      work({
        execute: (text, parameters, onSent) =>
          this.#answered(execute(connection, text, parameters, onSent)),
      }),
    );
  }

  /** The same for statements that may take as long as they will: `work` lifts the server's limit. */
  reserveForLong<T>(work: (session: Session) => Promise<T>): Promise<T> {
    return this.#reserve((connection) =>
      work({
        execute: (text, parameters, onSent) => execute(connection, text, parameters, onSent),
      }),
    );
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
        throw postgresqlFailure(error);
      }
      try {
        return await work(connection);
      } finally {
        await connection.release();
      }
    });
  }

  /** Sees to it that an answer comes, or a lost connection. */
  async #answered<T>(running: Promise<T>): Promise<T> {
    const wait = { untilMs: performance.now() + this.#answerLimitMs };
    this.#running.add(wait);
    this.#watch ??= setInterval(() => this.#lookForSilence(), silenceCheckMs).unref();
    try {
      return await running;
    } finally {
      this.#running.delete(wait);
    }
  }

  #lookForSilence(): void {
    const [longest] = this.#running;
    if (longest === undefined) {
      clearInterval(this.#watch);
      this.#watch = undefined;
    } else if (longest.untilMs < performance.now()) {
      // Whatever runs on the old connections is refused at once, as lost; the next calls make new ones.
      this.#running.clear();
      const silent = this.#sql;
      this.#sql = connect(this.#options);
      void silent.close({ timeout: 0 }).catch(() => {});
    }
  }
}

/** Makes connections when they are asked for. */
function connect(options: PoolOptions): SQL {
  try {
    return new SQL(options.url, settingsOf(options));
  } catch (error) {
    // The URL may hold a password, and other errors than that of a parameter say all of it.
    const isParameter = error instanceof Error && "code" in error && error.code === wrongParameter;
    const reason = isParameter ? error.message : wantedUrl;
    throw new StorageError(`Cannot use the database's URL: ${reason}`, { cause: error });
  }
}

const wrongParameter = "ERR_INVALID_ARG_VALUE";
const wantedUrl =
  'wanted "postgres://user:password@host:port/name", signs like # and % of a password percent-encoded';

function settingsOf(options: PoolOptions): SQL.PostgresOrMySQLOptions {
  return {
    max: options.connections,
    connectionTimeout: 5,
    // int8 as bigint, so that none is rounded; `plainRow` makes numbers of those that fit.
    bigint: true,
    connection: {
      application_name: "svc",
      // The server ends what we gave up on, also when this process has died.
      statement_timeout: String(options.statementTimeoutMs),
      idle_in_transaction_session_timeout: String(options.statementTimeoutMs * 2),
      default_transaction_read_only: options.isReadonly ? "on" : "off",
      default_transaction_isolation: options.isReadonly ? "read committed" : "serializable",
      // It compiles each filter over lists for longer than the filter runs.
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
    onSent?.(() => void query.cancel());
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

/** Also when the server ended the session, for its idleness or with its database. */
const lostStates = /^(08|25P03|57P0[1-5])/;
const lostCodes =
  /^(ERR_POSTGRES_(CONNECTION|IDLE_TIMEOUT|LIFETIME_TIMEOUT)|ECONN|ENOTFOUND|EPIPE)/;

/** How the two were to prove who they are, and be alone: wrong, or not to be had there. */
const distrustCodes =
  /^ERR_POSTGRES_(TLS|SASL|AUTHENTICATION|UNKNOWN_AUTH|UNSUPPORTED_AUTH|PASSWORD|INVALID_SERVER)|^ERR_TLS|CERT|^UNABLE_TO_/;

/** The server's own disk or its files fail it (58), or what they hold is damaged (XX). */
const brokenStates = /^(58|XX)/;

/** The five-character SQLSTATE of what PostgreSQL refused. */
export function sqlState(error: unknown): string | undefined {
  const source = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  if (!(source instanceof Error) || !("errno" in source)) return undefined;
  return typeof source.errno === "string" ? source.errno : undefined;
}

/** The typed error for what the driver threw; anything else as it is. */
function postgresqlFailure(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof StorageError) return error;
  const cause = { cause: error };
  const code = "code" in error ? String(error.code) : "";
  const state = sqlState(error) ?? "";
  if (lostStates.test(state) || lostCodes.test(code)) {
    return new ConnectionLostError("The connection to PostgreSQL was lost or refused", cause);
  }
  if (brokenStates.test(state)) return new StorageError(`${error.message} (${state})`, cause);
  if (distrustCodes.test(code)) return new StorageError(`${error.message} (${code})`, cause);
  switch (state) {
    case "23505":
      return new DuplicateError(error.message, cause);
    case "23503":
      return new ForeignKeyError(error.message, cause);
    case "57014":
      return new ScanStoppedError("The statement was stopped: it took too long", "time-limit");
    case "53100":
    case "53400":
      return new StorageFullError(error.message, cause);
    case "53200":
    case "53300":
    case "25006":
    // Who it is told to be, and which database: wrong, or no more there.
    case "28000":
    case "28P01":
    case "3D000":
    case "42501":
      return new StorageError(`${error.message} (${state})`, cause);
    default:
      return error;
  }
}
