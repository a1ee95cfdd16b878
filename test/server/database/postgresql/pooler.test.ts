import { chmod, mkdtemp, rm } from "node:fs/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { everyWorkspace, type Scope } from "#server/kit/scope.ts";
import { openDatabase } from "#server/database/open.ts";
import { PostgresqlPool } from "#server/database/postgresql/pool.ts";
import { raw, statement } from "#server/database/statement.ts";
import { diagnose } from "#server/platform/maintenance/offline-doctor.ts";
import { describeNeeding } from "#test/support/needs.ts";
import { createTestDatabase, missingPostgres, type TestDatabase } from "#test/support/postgres.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";
import { startBouncer, type PoolMode } from "../../../../scripts/foreign/pgbouncer/bouncer.ts";
import { statementsInScopes } from "../../../../scripts/foreign/pgbouncer/scopes.ts";
import { notes } from "./notes.ts";

const missing =
  missingPostgres ??
  (Bun.which("pgbouncer") === null
    ? "needs PgBouncer; `npm test` installs it when run as root on Debian"
    : undefined);

/** The names under which a PgBouncer lets the settings of our sessions through, and drops them. */
const dropsSettings =
  "ignore_startup_parameters = svc.session, synchronous_commit, statement_timeout, role, jit, " +
  "idle_in_transaction_session_timeout, default_transaction_read_only, " +
  "default_transaction_isolation, enable_seqscan, enable_sort, enable_bitmapscan, " +
  "plan_cache_mode, max_parallel_workers_per_gather, effective_io_concurrency, search_path";

describeNeeding("PostgreSQL through PgBouncer", missing, () => {
  let server: TestDatabase;
  let folder: string;

  beforeAll(async () => {
    server = await createTestDatabase();
    // The pooler runs as another account, which cannot enter the folder of the run.
    folder = await mkdtemp("/tmp/svc-pooler-");
    await chmod(folder, 0o755);
  });

  afterAll(async () => {
    await server.drop();
    await rm(folder, { recursive: true, force: true });
  });

  const through = (mode: PoolMode, settings?: string) =>
    startBouncer(`${folder}/${crypto.randomUUID()}`, server.url, mode, settings);

  test.each([
    ["session mode", "session", ""],
    ["transaction mode", "transaction", ""],
    ["transaction mode that drops settings", "transaction", dropsSettings],
  ] as const)("keeps each statement in its scope in %s", async (_name, mode, settings) => {
    await using bouncer = await through(mode, settings);
    const database = await openDatabase({ url: bouncer.url, migrations: [notes] });
    try {
      const found = await statementsInScopes(database, { scopes: 20, rounds: 4 });
      expect(found).toEqual({ statements: 240, foreign: 0 });
    } finally {
      await database.close();
    }
  });

  test("leaves no scope and no setting in a session that clients share", async () => {
    await using bouncer = await through("transaction");
    const database = await openDatabase({ url: bouncer.url, migrations: [notes] });
    const pool = new PostgresqlPool({ ...unscoped, url: bouncer.url });
    try {
      expect(database.isPooled).toBe(true);
      const mine: Scope = { workspaces: ["w1"], caller: "" };
      await database
        .in(mine)
        .write((writer) => writer.run(statement`insert into notes values ('w1', 'mine')`));
      const { rows } = await pool.ask(settingsNow);
      expect(rows).toEqual([{ scope: "", role: "none", isolation: "read committed" }]);
      expect(await database.in(mine).read.first(raw(settingsNow))).toEqual({
        scope: ",w1,",
        role: "svc_application",
        isolation: "read committed",
      });
      const inUnit = database.in(mine).write((writer) => writer.all(raw(settingsNow)));
      expect(await inUnit).toMatchObject([{ isolation: "serializable" }]);
    } finally {
      await pool.close();
      await database.close();
    }
  });

  test("commits durably, rolls back a failed unit, and ends a slow statement", async () => {
    await using bouncer = await through("transaction");
    const url = bouncer.url;
    const options = { url, migrations: [notes], unitTimeoutMs: 300, scanTimeLimitMs: 300 };
    const database = await openDatabase(options);
    const all = database.in(everyWorkspace);
    try {
      const failed = all.write(async (writer) => {
        await writer.run(statement`insert into notes values ('w2', 'half')`);
        await writer.run(raw("select nothing"));
      });
      await expect(failed).rejects.toThrow("nothing");
      await expect(all.write((writer) => writer.run(raw("select pg_sleep(9)")))).rejects.toThrow(
        /stopped|within 300 ms/,
      );
      await expect(all.scan.first(raw("select pg_sleep(9)"))).rejects.toThrow("too long");
      const durable = raw<string>("select current_setting('synchronous_commit') as durable");
      expect(await all.write((writer) => writer.all(durable))).toEqual([{ durable: "on" }]);
      const half = statement`select text from notes where workspace_id = 'w2'`;
      expect(await all.read.all(half)).toEqual([]);
    } finally {
      await database.close();
    }
  });

  test("takes the settings of its URL into each transaction", async () => {
    await using bouncer = await through("transaction");
    const settings = "?search_path=elsewhere,public&options=-c%20geqo%3Doff%20--timezone%3DUTC";
    const database = await openDatabase({ url: bouncer.url + settings, migrations: [notes] });
    try {
      const now = raw(`select current_setting('search_path') as path,
        current_setting('geqo') as geqo, current_setting('timezone') as zone`);
      const expected = { path: "elsewhere,public", geqo: "off", zone: "UTC" };
      expect(await database.in(everyWorkspace).read.first(now)).toEqual(expected);
    } finally {
      await database.close();
    }
  });

  test("is refused in statement mode, with the setting that PgBouncer needs", async () => {
    await using bouncer = await through("statement");
    const { url } = bouncer;
    await expect(openDatabase({ url, migrations: [notes] })).rejects.toThrow(needed);
    const place = { dataDirectory: await temporaryDirectory("pooler"), databaseUrl: url };
    const doctor = diagnose({ ...place, filesUrl: "s3://files", fix: false, withDigests: false });
    await expect(doctor).rejects.toThrow(needed);
  });

  test("refuses statements when a pooler takes the server's place after the start", async () => {
    await using bouncer = await through("transaction", dropsSettings);
    const pool = new PostgresqlPool({ ...unscoped, mark: "ours", url: bouncer.url });
    try {
      const read = pool.execute({ workspaces: ["w1"], caller: "" }, "select 1", []);
      await expect(read).rejects.toThrow("shared by a connection pooler");
    } finally {
      await pool.close();
    }
  });

  test("goes on when the pooler was restarted", async () => {
    await using bouncer = await through("transaction");
    const database = await openDatabase({ url: bouncer.url, migrations: [notes] });
    const one = (): Promise<unknown> =>
      Promise.resolve(database.in(everyWorkspace).read.first(raw("select 1 as one")));
    try {
      await one();
      await bouncer.restart();
      await expect.poll(() => one().catch(String), { timeout: 10_000 }).toEqual({ one: 1 });
    } finally {
      await database.close();
    }
  });
});

const needed = /PgBouncer needs "pool_mode = transaction"/;

const settingsNow = `select coalesce(current_setting('svc.workspaces', true), '') as scope,
  current_setting('role') as role, current_setting('transaction_isolation') as isolation`;

const unscoped = {
  mark: undefined,
  connections: 1,
  queueLimit: 10,
  idleSeconds: 10,
  isReadonly: true,
  statementTimeoutMs: 5_000,
};
