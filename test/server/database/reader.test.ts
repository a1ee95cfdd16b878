import { expect, test } from "vitest";
import { ExecutingReader, type Execute } from "#server/database/reader.ts";
import { statement } from "#server/database/statement.ts";

test("statements are rendered for the engine, and the first row needs no promise", async () => {
  const ran: unknown[] = [];
  const execute: Execute = (text, parameters) => {
    ran.push([text, parameters]);
    return { rows: [{ a: 1 }, { a: 2 }], changedRows: 0 };
  };
  const query = statement`select ${"x"}`;
  const reader = new ExecutingReader("postgresql", execute);
  expect(await reader.all(query)).toEqual([{ a: 1 }, { a: 2 }]);
  expect(reader.first(query)).toEqual({ a: 1 });
  await new ExecutingReader("sqlite", execute).all(query);
  expect(ran[0]).toEqual(["select $1", ["x"]]);
  expect(ran[2]).toEqual([expect.stringMatching(/^select \?/), ["x"]]);
});
