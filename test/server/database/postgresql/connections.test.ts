import { SQL } from "bun";
import { expect, test } from "vitest";
import { openDatabase } from "#server/database/open.ts";
import { raw } from "#server/database/statement.ts";
import { describeNeeding } from "#test/support/needs.ts";
import { createTestDatabase, missingPostgres } from "#test/support/postgres.ts";
import { notes } from "./notes.ts";

const allowed = 20;

/** Counts the platform's connections to the database of an administrator. */
async function countBy(administrator: SQL): Promise<number> {
  const [row]: { count: number }[] = await administrator.unsafe(
    `select count(*)::int as count from pg_stat_activity
     where datname = current_database() and application_name = 'svc'`,
  );
  return row?.count ?? 0;
}

describeNeeding("connections to PostgreSQL", missingPostgres, () => {
  test("are at most 20 for one platform, and close when they are unused", async () => {
    const { url, drop } = await createTestDatabase();
    const database = await openDatabase({ url, migrations: [notes], idleSeconds: 1 });
    const administrator = new SQL(url, { max: 1 });
    const count = (): Promise<number> => countBy(administrator);
    try {
      const slow = raw("select pg_sleep(0.02)");
      const work = Array.from({ length: 80 }, (_, at) => {
        const view = database.in({ workspaces: [`w${at % 10}`], caller: "" });
        return Promise.all([
          view.read.first(slow),
          view.read.pages?.first(slow),
          view.scan.first(slow),
          view.write((writer) => writer.all(slow)),
        ]);
      });
      let most = 0;
      let isOver = false;
      const counting = (async () => {
        while (!isOver) most = Math.max(most, await count());
      })();
      await Promise.all(work);
      isOver = true;
      await counting;
      expect(most).toBeGreaterThan(allowed / 2);
      expect(most).toBeLessThanOrEqual(allowed);
      await expect.poll(count, { timeout: 10_000 }).toBe(0);
      expect(await database.in({ workspaces: ["w1"], caller: "" }).read.all(slow)).toHaveLength(1);
    } finally {
      await administrator.close();
      await database.close();
      await drop();
    }
  });

  test("are one of a kind for requests that come one after the other", async () => {
    const { url, drop } = await createTestDatabase();
    const database = await openDatabase({ url, migrations: [notes], poolSize: 5 });
    const administrator = new SQL(url, { max: 1 });
    try {
      const opened = await countBy(administrator);
      const view = database.in({ workspaces: ["w1"], caller: "" });
      for (let call = 0; call < 6; call += 1) {
        await view.read.first(raw("select 1"));
        await view.write((writer) => writer.all(raw("select 1")));
      }
      expect(await countBy(administrator)).toBe(opened + 2);
    } finally {
      await administrator.close();
      await database.close();
      await drop();
    }
  });

  test("serve workspaces in turn", async () => {
    const { url, drop } = await createTestDatabase();
    const database = await openDatabase({ url, migrations: [notes] });
    try {
      const ended: string[] = [];
      const read = async (workspace: string): Promise<void> => {
        const view = database.in({ workspaces: [workspace], caller: "" });
        await view.read.first(raw("select pg_sleep(0.02)"));
        ended.push(workspace);
      };
      const many = Array.from({ length: 60 }, () => read("busy"));
      await Promise.all([...many, read("quiet")]);
      expect(ended.indexOf("quiet")).toBeLessThan(10);
    } finally {
      await database.close();
      await drop();
    }
  });
});
