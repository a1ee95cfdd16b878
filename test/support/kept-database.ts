import {
  connect,
  type SessionClient,
  type SessionOptions,
  type SessionSource,
} from "#server/database/postgresql/sessions.ts";
import { rememberRows, type EmptiedDatabase } from "./emptied-database.ts";
import type { TestDatabase } from "./postgres.ts";

/** Plans and rows of dead versions grow with each user: the next one gets a new database. */
const usersAtMost = 12;

/** A session whose last statement takes longer is closed. */
const endLimitMs = 5_000;

/** A PostgreSQL database whose sessions outlive the platform that used it. */
export interface KeptDatabase {
  /** Its `drop` gives it to the next user, after the platform has closed. */
  readonly database: TestDatabase;
  readonly sessions: SessionSource;
  /** Gives it its first rows for another test of its user; see {@link EmptiedDatabase}. */
  empty(): Promise<boolean>;
}

/** Databases that wait for their next user; each has some sessions. */
const freeAtMost = 2;

/** The databases of a worker, which its test files use in turn. */
export class KeptDatabases {
  readonly #copy: () => Promise<TestDatabase>;
  readonly #free: UsedDatabase[] = [];

  /** `copy` makes a new database, and each user finds the rows that it has then. */
  constructor(copy: () => Promise<TestDatabase>) {
    this.#copy = copy;
  }

  async take(): Promise<KeptDatabase> {
    const found = this.#free.pop();
    const isEmpty = await found?.empty();
    if (isEmpty === false) await found?.drop();
    const used = isEmpty === true ? found : undefined;
    const taken = used ?? (await UsedDatabase.create(await this.#copy()));
    taken.users += 1;
    return {
      database: {
        ...taken.database,
        drop: async () => {
          const isKept = this.#free.length < freeAtMost && taken.users < usersAtMost;
          if (isKept) this.#free.push(taken);
          else await taken.drop();
        },
      },
      sessions: taken,
      empty: () => taken.empty(),
    };
  }
}

class UsedDatabase implements SessionSource {
  readonly mark = crypto.randomUUID();
  users = 0;
  readonly database: TestDatabase;
  readonly #rows: EmptiedDatabase;
  readonly #idle = new Map<string, SessionClient[]>();
  /** True after a session was closed whose last statement may still reach the server. */
  #isDisturbed = false;

  private constructor(database: TestDatabase, rows: EmptiedDatabase) {
    this.database = database;
    this.#rows = rows;
  }

  static async create(database: TestDatabase): Promise<UsedDatabase> {
    return new UsedDatabase(database, await rememberRows(database.url));
  }

  connect(options: SessionOptions): SessionClient {
    const { isReadonly, statementTimeoutMs, role, plans, readAheadPages, idleSeconds } = options;
    const key = JSON.stringify([
      options.mark,
      isReadonly,
      statementTimeoutMs,
      role,
      plans,
      readAheadPages,
      idleSeconds,
    ]);
    const idle = this.#idle.get(key) ?? [];
    this.#idle.set(key, idle);
    const client = idle.pop() ?? connect(options);
    let isUsed = false;
    return {
      reserve: () => {
        isUsed = true;
        return client.reserve();
      },
      close: async (within) => {
        if (within?.timeout === 0 || (isUsed && !(await isAtRest(client)))) {
          this.#isDisturbed = true;
          return client.close({ timeout: 0 });
        }
        idle.push(client);
      },
    };
  }

  async empty(): Promise<boolean> {
    return !this.#isDisturbed && (await this.#rows.empty());
  }

  async drop(): Promise<void> {
    const clients = [...this.#idle.values()].flat();
    await Promise.all(clients.map((client) => client.close({ timeout: 1 })));
    await this.#rows.close();
    await this.database.drop();
  }
}

/** Waits for the statements of a client of one connection, and forgets what they have set. */
async function isAtRest(client: SessionClient): Promise<boolean> {
  const limit = Promise.withResolvers<undefined>();
  const timer = setTimeout(() => limit.resolve(undefined), endLimitMs);
  try {
    const connection = await Promise.race([client.reserve(), limit.promise]);
    await connection?.unsafe("reset all; select pg_advisory_unlock_all()").simple();
    await connection?.release();
    return connection !== undefined;
  } catch {
    return false;
  } finally {
    clearTimeout(timer);
  }
}
