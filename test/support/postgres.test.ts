import { Database } from "bun:sqlite";
import { SQL } from "bun";
import { expect, test } from "vitest";
import { createTestDatabase, describeEachDatabase } from "./postgres.ts";
import { describeNeeding } from "./needs.ts";
import { missingPostgres } from "./postgres.ts";

describeEachDatabase("a test database", ({ engine, create }) => {
  test("is empty and of the engine that was asked for", async () => {
    const database = await create();
    expect(database.engine).toBe(engine);
    if (database.path !== undefined) {
      const sqlite = new Database(database.path, { create: true });
      expect(sqlite.query("select count(*) as n from sqlite_schema").get()).toEqual({ n: 0 });
      sqlite.close();
    } else {
      const sql = new SQL(database.url);
      const rows = await sql`select count(*)::int as n from pg_tables where schemaname = 'public'`;
      expect([...rows]).toEqual([{ n: 0 }]);
      await sql.close();
    }
    await database.drop();
  });
});

describeNeeding("the PostgreSQL cluster of a run", missingPostgres, () => {
  test("gives every caller a new database, and orders text as a language does", async () => {
    const [one, other] = await Promise.all([createTestDatabase(), createTestDatabase()]);
    const first = new SQL(one.url);
    const second = new SQL(other.url);
    await first`create table only_here (name text)`;
    expect([...(await second`select to_regclass('only_here') as found`)]).toEqual([
      { found: null },
    ]);
    // Byte order would be B, a, ä: a query that relies on it has to say so.
    const sorted = await first`select string_agg(c, '' order by c) as text
      from unnest(array['B', 'ä', 'a']) as c`;
    expect([...sorted]).toEqual([{ text: "aäB" }]);
    await Promise.all([first.close(), second.close()]);
    await Promise.all([one.drop(), other.drop()]);
  });
});
