import type { ReservedSQL, SQL } from "bun";
import { everyWorkspace, type Scope } from "../../kit/scope.ts";
import { Permits } from "../../kit/turns/permits.ts";
import type { Executed } from "../reader.ts";
import type { BoundParameter } from "../statement.ts";
import { StorageError } from "../../kit/storage-errors.ts";
import { connectingFailure, postgresqlFailure } from "./driver-errors.ts";
import { scopeSetting, setScope } from "./row-security.ts";
import {
  beginning,
  connect,
  type SessionClient,
  type SessionOptions,
  type SessionSource,
} from "./sessions.ts";
import { keptPromise } from "../../kit/background.ts";

export interface PoolOptions extends SessionOptions {
  readonly queueLimit: number;
  readonly source?: SessionSource | undefined;
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

/** The session of a transaction that is committed. */
export interface TransactionSession extends Session {
  /** Sends a statement together with the commit, so that both are one round trip. */
  atEnd(text: string, parameters: readonly BoundParameter[]): void;
}

/**
 * Connections of one kind, with a bounded queue in which workspaces take turns. One is opened only
 * while all others are in use: the server spends 6 to 20 ms on each, and each plans every statement
 * again. The scope is set before each statement or unit: in the same round trip in an own session,
 * and for its transaction only through a pooler.
 */
export class PostgresqlPool {
  readonly #options: PoolOptions;
  readonly #permits: Permits;
  readonly #running = new Set<{ readonly untilMs: number }>();
  readonly #answerLimitMs: number;
  readonly #begin: (scope: Scope) => string;
  readonly #beginSnapshot: (scope: Scope) => string;
  /** Clients of one connection each, which they open again after a time without use. */
  readonly #clients = new Set<SessionClient>();
  /** The clients that wait; the one that was used last is used next. */
  readonly #idle: SessionClient[] = [];
  #isClosed = false;
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
    // The first one also refuses a URL that is none.
    this.#idle.push(this.#newClient());
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
  transaction<T>(scope: Scope, work: (session: TransactionSession) => Promise<T>): Promise<T> {
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
    this.#isClosed = true;
    await Promise.all(Array.from(this.#clients, (client) => client.close({ timeout: 5 })));
  }

  /** The client opens its connection when it is used. */
  #newClient(): SessionClient {
    const { source = { connect } } = this.#options;
    const client = source.connect({ ...this.#options, connections: 1 });
    this.#clients.add(client);
    return client;
  }

  #reserve<T>(scope: Scope, work: (connection: ReservedSQL) => Promise<T>): Promise<T> {
    const held = async (): Promise<T> => {
      if (this.#isClosed) throw new StorageError("Cannot use the database: it is closed");
      const client = this.#idle.pop() ?? this.#newClient();
      try {
        return await this.#reserveOf(client, work);
      } finally {
        // A silent one was replaced meanwhile.
        if (this.#clients.has(client)) this.#idle.push(client);
      }
    };
    return this.#permits.hold(held, scopeSetting(scope), undefined, scope.caller);
  }

  async #reserveOf<T>(
    client: SessionClient,
    work: (connection: ReservedSQL) => Promise<T>,
  ): Promise<T> {
    let connection: ReservedSQL;
    try {
      connection = await this.#answered(client.reserve());
    } catch (error) {
      throw connectingFailure(error);
    }
    try {
      return await work(connection);
    } finally {
      await connection.release();
    }
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
    work: (session: TransactionSession) => Promise<T>,
    begin = this.#begin(scope),
  ): Promise<T> {
    const session = this.#session(connection, scope);
    const last: Parameters<TransactionSession["atEnd"]>[] = [];
    let isOpen = true;
    try {
      await session.execute(begin, []);
      const value = await work({
        ...session,
        atEnd(...call) {
          last.push(call);
        },
      });
      // A commit that fails has rolled back, and so has one after a statement that failed.
      isOpen = false;
      const ending = last.map((call) => session.execute(...call));
      await settled([...ending, session.execute("commit", [])]);
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
      const silent = [...this.#clients];
      this.#clients.clear();
      this.#idle.splice(0);
      for (const client of silent) client.close({ timeout: 0 }).catch(() => {});
    }
  }
}

/** Resolves when all have resolved; rejects with the first rejection once all have ended. */
async function settled(all: readonly Promise<unknown>[]): Promise<void> {
  const outcomes = all.length === 1 ? undefined : await Promise.allSettled(all);
  if (outcomes === undefined) await all[0];
  for (const outcome of outcomes ?? []) if (outcome.status === "rejected") throw outcome.reason;
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
