import { expect, test } from "vitest";
import { Database } from "bun:sqlite";
import { countRows, newestFirst, type NewestPage } from "#server/database/row-pages.ts";
import { render, statement } from "#server/database/statement.ts";

const database = new Database(":memory:");
database.run("create table things (id text, created_at text)");
for (const [id, time] of ["a1", "b2", "c2", "d3"].map((name) => [name, `202${name[1]}`])) {
  database.run("insert into things values (?, ?)", [id ?? "", time ?? ""]);
}

function read(page: NewestPage): unknown[] {
  const query = statement`select id from things where true ${newestFirst(page)}`;
  const { text, parameters } = render(query, "sqlite");
  return database
    .query(text)
    .values(...(parameters as string[]))
    .flat();
}

test("a page is the newest first, then by id, after its position", () => {
  expect(read({ limit: 3, offset: 0 })).toEqual(["d3", "c2", "b2"]);
  expect(read({ limit: 3, offset: 3 })).toEqual(["a1"]);
  const after = { createdAt: "2022", id: "c2" };
  expect(read({ limit: 9, offset: 0, after })).toEqual(["b2", "a1"]);
});

test("rows are counted as a number", async () => {
  const reader = { first: () => Promise.resolve({ count: "4" }) };
  expect(await countRows(reader as never, statement`from things`)).toBe(4);
  expect(await countRows({ first: () => undefined } as never, statement`from things`)).toBe(0);
});
