import { expect, test } from "vitest";
import { statement } from "#server/database/statement.ts";
import { lostTables, tablesOf } from "#server/schema/tables.ts";
import { describeOnEachDatabase } from "#test/support/databases.ts";

describeOnEachDatabase("the list of tables", (open, { engine }) => {
  test("has each table of a new database, and finds those that are gone", async () => {
    const database = await open();
    const tables = await database.read.all<{ name: string }>(
      engine === "sqlite"
        ? statement`select name from pragma_table_list where schema = 'main'
            and type in ('table', 'virtual') and name not like 'sqlite\\_%' escape '\\' order by 1`
        : statement`select relname as name from pg_class where relkind in ('r', 'p')
            and relnamespace = current_schema()::regnamespace order by relname collate "C"`,
    );
    expect(tablesOf(engine)).toEqual(tables.map(({ name }) => name));
    expect(await lostTables(database.read)).toEqual([]);
    const all: typeof database.read.all = (text) => database.read.all(text);
    const withoutMarks: typeof all = async (text) =>
      (await all<{ name: string }>(text)).filter(({ name }) => name !== "marks") as never;
    const reader = { ...database.read, dialect: engine, all: withoutMarks };
    expect(await lostTables(reader)).toEqual(["marks"]);
  });
});
