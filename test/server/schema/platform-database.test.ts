import { readdir } from "node:fs/promises";
import { basename } from "node:path";
import { expect, test } from "vitest";
import { statement } from "#server/database/statement.ts";
import { migrations } from "#server/schema/migrations.ts";
import { describeOnEachDatabase } from "#test/support/databases.ts";

describeOnEachDatabase("the platform's database", (open, { engine }) => {
  test("has all migrations, which are named after their files", async () => {
    const database = await open();
    const applied = statement`select name from svc_migrations order by name`;
    expect(await database.read.all(applied)).toEqual(migrations.map(({ name }) => ({ name })));
    const files = await readdir(new URL("../../../src/server/schema/changes", import.meta.url), {
      recursive: true,
    });
    const names = files.map((file) => basename(file));
    const numbered = names.filter((name) => /^\d{4}-.*\.ts$/.test(name));
    expect(numbered.toSorted()).toEqual(migrations.map(({ name }) => `${name}.ts`));
  });

  if (engine === "sqlite") return;
  test("orders text by code point even where the database has a natural collation", async () => {
    const database = await open({ poolSize: 1 });
    // A column without `columnType.text` is listed here.
    const columns = await database.read.all<{ name: string }>(statement`
      select table_name || '.' || column_name as name from information_schema.columns
      where table_schema = 'public' and data_type = 'text'
        and coalesce(collation_name, '') <> 'C' order by 1`);
    expect(columns).toEqual([]);
  });
});
