import { expect, test } from "vitest";
import { SqliteConnection } from "#server/database/sqlite/sqlite-connection.ts";
import { ExecutingReader } from "#server/database/reader.ts";
import { DuplicateError } from "#server/kit/storage-errors.ts";
import { uuidNumber } from "#server/kit/ordered-uuid.ts";
import { sharedNumber } from "#server/platform/move/shared-numbers.ts";

const one = "01a21e01-cd0e-71b8-9aee-241122b23b71";
const other = "01a21e01-cd0e-71b8-8000-000000000001";
const resources = { name: "resources", columns: [{ name: "id", kind: "text" }], key: [0] } as const;

test("names the two records of PostgreSQL that have one number on SQLite", async () => {
  expect(uuidNumber(one)).toBe(uuidNumber(other));
  const connection = new SqliteConnection(":memory:", { readonly: false });
  connection.execute("create table resources (id text, record_number integer primary key)");
  const target = new ExecutingReader("sqlite", (text, values) => connection.run(text, values));
  const cause = new DuplicateError();
  const within = { removed: [], added: [[one], [other]] };
  const found = await sharedNumber(target, resources, within, cause);
  expect(found.message).toContain(`the records ${one} and ${other} have one number on SQLite`);

  connection.run("insert into resources values (?, ?)", [one, uuidNumber(one)]);
  const later = await sharedNumber(target, resources, { removed: [], added: [[other]] }, cause);
  expect(later.message).toContain(`the records ${one} and ${other}`);
  const members = { ...resources, name: "members" };
  const plain = await sharedNumber(target, members, within, cause);
  expect(plain.message).toContain("a row of members");
  connection.close();
});
