import { SQL } from "bun";
import { expect, test } from "vitest";
import { everyWorkspace } from "#server/kit/scope.ts";
import { openPlatformDatabase } from "#server/schema/platform-database.ts";
import { raw } from "#server/database/statement.ts";
import { quietTuning } from "./databases.ts";
import { KeptDatabases, type KeptDatabase } from "./kept-database.ts";
import { describeNeeding } from "./needs.ts";
import { missingPostgres } from "./postgres.ts";
import { createPlatformTables } from "./prepared.ts";

describeNeeding("a kept database", missingPostgres, () => {
  const newPool = (): KeptDatabases => new KeptDatabases(() => createPlatformTables("postgresql"));

  /** Runs statements in a database, gives it back, and returns the rows of the last statement. */
  async function using(kept: KeptDatabase, ...texts: string[]): Promise<unknown[]> {
    const { url } = kept.database;
    const database = await openPlatformDatabase({
      url,
      poolSize: 1,
      tuning: quietTuning,
      sessions: kept.sessions,
    });
    let rows: unknown[] = [];
    await database.in(everyWorkspace).write(async (writer) => {
      for (const text of texts) rows = await writer.all(raw(text));
    });
    await database.close();
    await kept.database.drop();
    return rows;
  }

  const process = "select pg_backend_pid() as process";
  const insert = `insert into change_batches (workspace_id, at, events)
    values ('a', '2026-01-01T00:00:00.000Z', '[]') returning number`;
  const read = "select * from change_batches";

  /** Changes a database as its operator does. */
  async function operate(url: string, text: string): Promise<void> {
    const sql = new SQL(url, { max: 1 });
    await sql.unsafe(text);
    await sql.close({ timeout: 1 });
  }

  test("has its first rows, numbers and settings for the next user, in the same session", async () => {
    const databases = newPool();
    const [first] = await using(await databases.take(), "set work_mem = '77kB'", process);
    const next = await databases.take();
    expect(await using(next, process)).toEqual([first]);
    const [row] = await using(await databases.take(), insert);
    expect(await using(await databases.take(), read)).toEqual([]);
    expect(await using(await databases.take(), insert)).toEqual([row]);
    const shown = await using(await databases.take(), "show work_mem");
    expect(shown).not.toEqual([{ work_mem: "77kB" }]);
    await (await databases.take()).database.drop();
  });

  test.each([
    ["a table", "create table further (name text)"],
    ["a policy", "drop policy svc_workspaces on resources"],
    ["statistics", "analyze resources"],
  ])("is not used again after a change of %s", async (_, change) => {
    const databases = newPool();
    const first = await databases.take();
    await operate(first.database.url, change);
    await using(first, process);
    const second = await databases.take();
    expect(second.database.url).not.toBe(first.database.url);
    await second.database.drop();
  });

  test("is not used again after a session was closed without waiting for its end", async () => {
    const databases = newPool();
    const { sessions, database } = await databases.take();
    const client = sessions.connect({
      url: database.url,
      mark: undefined,
      connections: 1,
      idleSeconds: 60,
      isReadonly: false,
      statementTimeoutMs: 60_000,
    });
    const connection = await client.reserve();
    await connection.unsafe("select 1").simple();
    await client.close({ timeout: 0 });
    await database.drop();
    const second = await databases.take();
    expect(second.database.url).not.toBe(database.url);
    await second.database.drop();
  });
});
