import { afterAll, afterEach, beforeEach } from "vitest";
import type { Database, DatabaseView, MergeableUnit } from "#server/database/database.ts";
import type { DatabaseOptions } from "#server/database/open-options.ts";
import { openDatabase } from "#server/database/open.ts";
import { everyWorkspace, type Scope } from "#server/kit/scope.ts";
import { fullTuning, type Tuning } from "#server/kit/tuning.ts";
import { given } from "#lib/given.ts";
import { openPlatformDatabase } from "#server/schema/platform-database.ts";
import type { DatabaseEngine, TestDatabase } from "./postgres.ts";
import { createTestDatabase, describeEachDatabase, missingPostgres } from "./postgres.ts";
import { describeNeeding } from "./needs.ts";
import { KeptDatabases, type KeptDatabase } from "./kept-database.ts";
import { createPlatformTables } from "./prepared.ts";

/**
 * The platform's mechanisms without looks at the statistics, which PostgreSQL needs after bulk
 * writes only: each look takes a further connection, and there is one every two seconds.
 */
export const quietTuning: Tuning = { ...fullTuning, analyzesTables: false };

/** A database that a test reads and writes itself: the rows of all workspaces. */
export type WholeDatabase = Omit<Database, "merged"> &
  DatabaseView & {
    merged<Item>(unit: MergeableUnit<Item>): (item: Item, scope?: Scope) => Promise<void>;
  };

export function wholeOf(database: Database): WholeDatabase {
  const view = database.in(everyWorkspace);
  return {
    ...database,
    read: view.read,
    scan: view.scan,
    write: (work) => view.write(work),
    snapshot: (work) => view.snapshot(work),
    merged: (unit) => {
      const write = database.merged(unit);
      return (item, scope = everyWorkspace) => write(item, scope);
    },
  };
}

/** Opens a database for a test that reads and writes it itself. */
export async function openWhole(options: DatabaseOptions): Promise<WholeDatabase> {
  return wholeOf(await openDatabase(options));
}

export interface EachDatabase {
  readonly engine: DatabaseEngine;
  /**
   * A new, empty database with the platform's tables, or the given migrations; dropped after the
   * file's last test.
   */
  readonly open: (options?: Partial<DatabaseOptions>) => Promise<WholeDatabase>;
  /** A new database with its URL, for tests that open it twice. */
  readonly create: () => Promise<TestDatabase>;
  /** A new database with the platform's tables, and its URL. */
  readonly createTables: () => Promise<TestDatabase>;
}

/**
 * The same tests on both engines, each with its own databases:
 *
 *     describeOnEachDatabase("jobs", (open) => {
 *       test("…", async () => {
 *         const database = await open();
 */
export function describeOnEachDatabase(
  name: string,
  body: (open: EachDatabase["open"], each: EachDatabase) => void,
): void {
  describeEachDatabase(name, (each) => withDatabases(each, body));
}

/**
 * The same as `describeOnEachDatabase`, but on PostgreSQL the tests have one database with its
 * connections in turn, emptied for the next one: for tests that close no database, and whose work
 * has ended when they end. A second call of `open` in a test gives another database all the same.
 */
export function describeInTurn(
  name: string,
  body: (open: EachDatabase["open"], each: EachDatabase) => void,
): void {
  describeEachDatabase(name, (each) =>
    withDatabases(each, (open, made) => {
      const turns = each.engine === "postgresql" ? opensInTurn(made) : open;
      body(turns, { ...made, open: turns });
    }),
  );
}

/** Opens one database, and gives it emptied to the next tests. */
function opensInTurn({ open, take }: Pick<EachDatabase, "open"> & Taking): EachDatabase["open"] {
  let kept: { readonly database: WholeDatabase; readonly used: KeptDatabase } | undefined;
  let isInTest = false;
  let isTaken = false;
  beforeEach(() => {
    isInTest = true;
    isTaken = false;
  });
  afterEach(() => {
    isInTest = false;
  });
  return async (options) => {
    if (options !== undefined || !isInTest || isTaken) return open(options);
    isTaken = true;
    if (kept !== undefined && (await kept.used.empty())) return kept.database;
    const used = await take();
    const { sessions, database } = used;
    kept = { used, database: await open({ url: database.url, sessions }) };
    return kept.database;
  };
}

/** Tests of several platforms on one database, which only PostgreSQL has. */
export function describeOnPostgresql(
  name: string,
  body: (open: EachDatabase["open"], each: EachDatabase) => void,
): void {
  describeNeeding(name, missingPostgres, () =>
    withDatabases({ engine: "postgresql", create: createTestDatabase }, body),
  );
}

interface Taking {
  /** Takes a database that is given back after the file's last test. */
  take(): Promise<KeptDatabase>;
}

/** The worker's databases without rows of workspaces, which one file after the other uses. */
const keptTables = new KeptDatabases(() => createPlatformTables("postgresql"));

function withDatabases(
  { engine, create }: Pick<EachDatabase, "engine" | "create">,
  body: (open: EachDatabase["open"], each: EachDatabase & Taking) => void,
): void {
  const opened: Database[] = [];
  const created: TestDatabase[] = [];
  const kept = async (pending: Promise<TestDatabase>): Promise<TestDatabase> => {
    const testDatabase = await pending;
    created.push(testDatabase);
    return testDatabase;
  };
  const take = async (): Promise<KeptDatabase> => {
    const used = await keptTables.take();
    created.push(used.database);
    return used;
  };
  const open: EachDatabase["open"] = async ({ migrations, ...options } = {}) => {
    const isUsual = migrations === undefined && options.url === undefined;
    const used = isUsual && engine === "postgresql" ? await take() : undefined;
    const make = migrations === undefined ? () => createPlatformTables(engine) : create;
    const url = options.url ?? used?.database.url ?? (await kept(make())).url;
    // Two connections of a kind: enough to race, few enough for many files at a time.
    const usual = { poolSize: 2, tuning: quietTuning, ...given({ sessions: used?.sessions }) };
    const others = { ...usual, ...options, url };
    const database = await (migrations === undefined
      ? openPlatformDatabase(others)
      : openDatabase({ ...others, migrations }));
    opened.push(database);
    return wholeOf(database);
  };
  afterAll(async () => {
    await Promise.all(opened.splice(0).map((database) => database.close()));
    await Promise.all(created.splice(0).map((testDatabase) => testDatabase.drop()));
  });
  const createTables = (): Promise<TestDatabase> => kept(createPlatformTables(engine));
  body(open, { engine, open, create: () => kept(create()), createTables, take });
}
