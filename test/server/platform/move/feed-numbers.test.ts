import { expect, test } from "vitest";
import { Database } from "bun:sqlite";
import { render, type Statement } from "#server/database/statement.ts";
import { continueNumbers, lastNumber } from "#server/platform/move/feed-numbers.ts";

function side() {
  const database = new Database(":memory:");
  database.run("create table change_batches (number integer primary key autoincrement, at text)");
  const run = (statement: Statement): unknown[] => {
    const { text, parameters } = render(statement, "sqlite");
    return database.query(text).all(...(parameters as number[]));
  };
  const add = (): unknown => database.run("insert into change_batches (at) values ('')");
  const reader = { first: (statement: Statement) => run(statement)[0] };
  const transaction = async (statements: readonly Statement[]) => statements.forEach(run);
  return {
    add,
    side: { dialect: "sqlite", reader, transaction } as never,
    reader: reader as never,
  };
}

test("the target continues after the numbers of the source", async () => {
  const [source, target] = [side(), side()];
  expect(await lastNumber(source.reader)).toBe(0);
  await continueNumbers(source.side, target.side);
  for (let count = 0; count < 3; count += 1) source.add();
  await continueNumbers(source.side, target.side);
  target.add();
  expect(await lastNumber(target.reader)).toBe(4);
});
