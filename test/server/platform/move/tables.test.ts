import { SQL } from "bun";
import { expect, onTestFinished, test } from "vitest";
import { raw } from "#server/database/statement.ts";
import { movedTables, tablesLeftOut } from "#server/platform/move/tables.ts";
import { openPlatformDatabase } from "#server/schema/platform-database.ts";
import { wholeOf } from "#test/support/databases.ts";
import { describeNeeding } from "#test/support/needs.ts";
import { missingPostgres } from "#test/support/postgres.ts";
import { createPlatformTables } from "#test/support/prepared.ts";

async function opened(engine: "sqlite" | "postgresql") {
  const made = await createPlatformTables(engine);
  const database = await openPlatformDatabase({ url: made.url, poolSize: 1 });
  onTestFinished(async () => {
    await database.close();
    await made.drop();
  });
  return { ...wholeOf(database), url: made.url };
}

async function asOwner(url: string, ...statements: readonly string[]): Promise<void> {
  await using sql = new SQL(url, { max: 1 });
  for (const each of statements) await sql.unsafe(each);
}

describeNeeding("the tables of a move", missingPostgres, () => {
  test("are those of the schema, with the same columns on both engines", async () => {
    const [sqlite, postgresql] = [await opened("sqlite"), await opened("postgresql")];
    // PostGIS makes such a table in the schema of the platform's tables.
    const foreign = "create table spatial_ref_sys (srid integer primary key, srtext varchar(2048))";
    await asOwner(postgresql.url, foreign, "alter extension plpgsql add table spatial_ref_sys");
    const tables = await movedTables(sqlite.read, postgresql.read);
    expect(await movedTables(postgresql.read, sqlite.read)).toEqual(tables);
    const names = new Set([...tables.map(({ name }) => name), ...tablesLeftOut]);
    const stored = await postgresql.read.all<{ name: string }>(
      raw("select tablename as name from pg_tables where schemaname = current_schema()"),
    );
    // A new table is moved, or has a reason in the list of those that are left out.
    expect(stored.map(({ name }) => name).filter((name) => !names.has(name))).toEqual([
      "spatial_ref_sys",
    ]);
    names.add("spatial_ref_sys");
    // Only SQLite has these tables: PostgreSQL has an index, and keys records by their ids.
    for (const own of ["feed_sizes", "shared_numbers"]) expect(names.delete(own)).toBe(true);
    expect(names.size).toBe(stored.length);
    const keyOf = (name: string): unknown => {
      const table = tables.find((each) => each.name === name);
      return table?.key.map((at) => table.columns[at]?.name);
    };
    expect(keyOf("members")).toEqual(["workspace_id", "oid"]);
    expect(keyOf("resources")).toEqual(["id"]);
  });

  test("differ from a schema that lacks a column on one engine", async () => {
    const [sqlite, postgresql] = [await opened("sqlite"), await opened("postgresql")];
    await sqlite.write((writer) => writer.run(raw("alter table users add column hat text")));
    await expect(movedTables(sqlite.read, postgresql.read)).rejects.toThrow("users.hat");
  });
});
