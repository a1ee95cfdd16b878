import { expect, test } from "vitest";
import { raw, statement } from "#server/database/statement.ts";
import { describeNeeding } from "#test/support/needs.ts";
import { createTestDatabase, missingPostgres } from "#test/support/postgres.ts";
import { openWhole } from "#test/support/databases.ts";

const things = {
  name: "0001-things",
  up: async (context: { run(part: ReturnType<typeof raw>): Promise<void> }) => {
    await context.run(raw("create table many (id bigint primary key)"));
    await context.run(raw("create table few (id bigint primary key)"));
  },
};

describeNeeding("PostgreSQL's statistics", missingPostgres, () => {
  // The server of the tests has no autovacuum: only the platform analyzes.
  test("are updated after bulk writes, and not after a few writes", async () => {
    const { url, drop } = await createTestDatabase();
    const database = await openWhole({ url, migrations: [things], poolSize: 2 });
    try {
      const analyzed = () =>
        database.read.all(
          raw(`select relname as name, reltuples::int as rows from pg_class
          where relname in ('many', 'few') and reltuples >= 0 order by relname`),
        );
      expect(await analyzed()).toEqual([]);
      await database.write(async (writer) => {
        for (const [table, rows] of [
          ["many", 5_000],
          ["few", 10],
        ] as const) {
          await writer.run(statement`insert into ${raw(table)}
            select generate_series(1, ${rows}::bigint)`);
        }
      });
      await expect
        .poll(analyzed, { timeout: 50_000, interval: 200 })
        .toEqual([{ name: "many", rows: 5_000 }]);
    } finally {
      await database.close();
      await drop();
    }
    // Idle sessions report their changes to the server only every ten seconds.
  }, 60_000);
});
