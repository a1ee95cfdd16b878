import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { ChangeCount } from "#server/kit/change-count.ts";
import { SqliteConnection } from "#server/database/sqlite/connection.ts";
import { TickReads } from "#server/database/sqlite/tick-reads.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";

let writer: SqliteConnection;
let reader: SqliteConnection;
let reads: TickReads;
let commits: ChangeCount;

beforeEach(async () => {
  const path = join(await temporaryDirectory("turns"), "svc.db");
  writer = new SqliteConnection(path, { readonly: false });
  writer.execute("pragma journal_mode = wal");
  writer.execute("create table notes (id integer primary key)");
  reader = new SqliteConnection(path, { readonly: true });
  commits = new ChangeCount();
  reads = new TickReads(reader, commits);
});
afterEach(() => {
  reads.end();
  reader.close();
  writer.close();
});

const count = (): unknown => reads.run("select count(*) as n from notes", []).rows[0]?.["n"];
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test("reads of one turn see one state, and the next turn's the newest", async () => {
  expect(count()).toBe(0);
  writer.run("insert into notes values (1)", []);
  expect(count()).toBe(0);
  await turn();
  expect(count()).toBe(1);
});

test("a commit of this process is seen in the same turn", () => {
  expect(count()).toBe(0);
  writer.run("insert into notes values (1)", []);
  commits.raise();
  expect(count()).toBe(1);
});

test("no transaction stays open behind a turn, nor after a read that failed", async () => {
  expect(count()).toBe(0);
  expect(reader.inTransaction).toBe(true);
  expect(() => reads.run("select * from nothing", [])).toThrow(/nothing/);
  await turn();
  expect(reader.inTransaction).toBe(false);
  expect(count()).toBe(0);
});
