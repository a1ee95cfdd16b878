import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { SqliteConnection } from "#server/database/sqlite/sqlite-connection.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";

async function connectionOf(...statements: readonly string[]): Promise<SqliteConnection> {
  const path = join(await temporaryDirectory(), "test.db");
  const connection = new SqliteConnection(path, { readonly: false });
  onTestFinished(() => connection.close());
  for (const text of statements) connection.run(text, []);
  return connection;
}

test("integers that a number rounds are exact, in the first read that meets one and later", async () => {
  const connection = await connectionOf(
    "create table numbers (number integer not null, name text not null) strict",
    "insert into numbers values (7, 'small')",
  );
  const read = () => connection.run("select number, name from numbers order by number", []).rows;
  const small = { number: 7, name: "small" };
  expect(read()).toEqual([small]);
  connection.run("insert into numbers values (?, 'large')", [9_007_199_254_740_993n]);
  const large = { number: 9_007_199_254_740_993n, name: "large" };
  expect(read()).toEqual([small, large]);
  expect(read()).toEqual([small, large]);
  connection.run("delete from numbers where name = 'large'", []);
  expect(read()).toEqual([small]);
});

test("an integer below a column of texts is exact too", async () => {
  const connection = await connectionOf(
    "create table texts (name text not null) strict",
    "insert into texts values ('first')",
  );
  const { rows } = connection.run("select name from texts union all select ?", [2n ** 60n + 1n]);
  expect(rows).toEqual([{ name: "first" }, { name: 2n ** 60n + 1n }]);
});

test("a write returns its integers as numbers", async () => {
  const connection = await connectionOf("create table numbers (number integer, name text)");
  const { rows, changedRows } = connection.run(
    "insert into numbers values (1, 'a'), (2, 'b') returning number, name",
    [],
  );
  expect(rows).toEqual([
    { number: 1, name: "a" },
    { number: 2, name: "b" },
  ]);
  expect(changedRows).toBe(2);
});
