import type { ReservedSQL, SQL } from "bun";
import { everyWorkspace, type Scope } from "../../kit/scope.ts";
import { Permits } from "../../kit/turns/permits.ts";
import type { Executed } from "../reader.ts";
import type { BoundParameter } from "../statement.ts";
import { connectingFailure, postgresqlFailure } from "./driver-errors.ts";
import { scopeSetting, setScope } from "./row-security.ts";
import { beginning, connect, type SessionOptions } from "./sessions.ts";
import { keptPromise } from "../../kit/background.ts";

export interface PoolOptions extends SessionOptions {
  readonly queueLimit: number;
}

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
 * Connections of one kind, with a bounded queue in which workspaces take turns. The scope is set
 * before each statement or unit: in the same round trip in an own session, and for its
 * transaction only through a pooler.
 */
export class PostgresqlPool {
  readonly #options: PoolOptions;
  readonly #permits: Permits;
  readonly #running = new Set<{ readonly untilMs: number }>();
  readonly #answerLimitMs: number;
  readonly #begin: (scope: Scope) => string;
  readonly #beginSnapshot: (scope: Scope) => string;
  #sql: SQL;
  #watch: ReturnType<typeof setInterval> | undefined;

  constructor(options: PoolOptions) {
    this.#options = options;
    const { connections, queueLimit } = options;
    this.#permits = new Permits({
      count: connections,
      queueLimit,
      // One workspace never fills the queue.
      queueLimitPerShare: Math.ceil(queueLimit * 0.9),
      waitLimitMs,
    });
    this.#answerLimitMs = options.statementTimeoutMs + silenceLimitMs;
    this.#sql = connect(options);
    this.#begin = beginning(options);
    this.#beginSnapshot = beginning(options, true);
  }

  /** One statement in its own transaction. */
  execute(scope: Scope, text: string, parameters: readonly BoundParameter[]): Promise<Executed> {
    const { mark, isReadonly } = this.#options;
    if (mark !== undefined || !isReadonly) {
      return this.reserve(scope, (session) => session.execute(text, parameters));
    }
    // A read is complete with its rows: its answer does not wait for the end of the transaction.
    return new Promise((resolve, reject) => {
      const read = async (session: Session): Promise<void> =>
        resolve(await session.execute(text, parameters));
      this.transaction(scope, read).catch(reject);
    });
  }

  /** Each statement is a transaction; through a pooler all of them are one. */
  reserve<T>(scope: Scope, work: (session: Session) => Promise<T>): Promise<T> {
    return this.#reserve(scope, (connection) =>
      this.#options.mark === undefined
        ? this.#inTransaction(connection, scope, work)
        : work(this.#session(connection, scope)),
    );
  }

  /** Commits what `work` does, or rolls it back when that rejects. */
  transaction<T>(scope: Scope, work: (session: Session) => Promise<T>): Promise<T> {
    return this.#reserve(scope, (connection) => this.#inTransaction(connection, scope, work));
  }

  /** All statements of `work` see the state of its first one. */
  snapshot<T>(scope: Scope, work: (session: Session) => Promise<T>): Promise<T> {
    return this.#reserve(scope, (connection) =>
      this.#inTransaction(connection, scope, work, this.#beginSnapshot(scope)),
    );
  }

  /** One statement without parameters, in no scope. */
  ask(text: string): Promise<Executed> {
    return this.#reserve(everyWorkspace, (connection) =>
      this.#answered(execute(connection, text, [])),
    );
  }

  /** Reserves a connection without a time limit: `work` lifts the server's statement timeout. */
  reserveForLong<T>(work: (session: Session) => Promise<T>): Promise<T> {
    return this.#reserve(everyWorkspace, (connection) =>
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

  #reserve<T>(scope: Scope, work: (connection: ReservedSQL) => Promise<T>): Promise<T> {
    const held = async (): Promise<T> => {
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
    };
    return this.#permits.hold(held, scopeSetting(scope), undefined, scope.caller);
  }

  /** An own session keeps its scope; through a pooler, the transaction has it. */
  #session(connection: ReservedSQL, scope: Scope): Session {
    const run: Session["execute"] = (text, parameters, onSent) =>
      this.#answered(execute(connection, text, parameters, onSent));
    if (this.#options.mark === undefined) return { execute: run };
    // No statement may follow that awaits it.
    let scoped: Promise<unknown> | undefined = keptPromise(run(setScope, [scopeSetting(scope)]));
    return {
      execute: async (text, parameters, onSent) => {
        const running = run(text, parameters, onSent);
        if (scoped === undefined) return running;
        const [executed] = await Promise.all([running, scoped]);
        scoped = undefined;
        return executed;
      },
    };
  }

  async #inTransaction<T>(
    connection: ReservedSQL,
    scope: Scope,
    work: (session: Session) => Promise<T>,
    begin = this.#begin(scope),
  ): Promise<T> {
    const session = this.#session(connection, scope);
    let isOpen = true;
    try {
      await session.execute(begin, []);
      const value = await work(session);
      // A commit that fails has rolled back.
      isOpen = false;
      await session.execute("commit", []);
      return value;
    } catch (error) {
      // The rollback fails on a lost connection; the first error is the reason.
      if (isOpen) await session.execute("rollback", []).catch(() => {});
      throw error;
    }
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

/** Runs one statement on a connection; throws typed errors. */
export async function execute(
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
    } else if (typeof value === "object" && Buffer.isBuffer(value)) {
      row[name] = new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
    }
  }
  return row;
}
