import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { ChangeCount } from "#server/kit/change-count.ts";
import { StorageError } from "#server/kit/storage-errors.ts";
import { SqliteConnection } from "#server/database/sqlite/sqlite-connection.ts";
import { TickReads } from "#server/database/sqlite/reads.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";

let writer: SqliteConnection;
let reader: SqliteConnection;
let reads: TickReads;
let commits: ChangeCount;

beforeEach(async () => {
  const path = join(await temporaryDirectory("ticks"), "svc.db");
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
const tick = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test("reads of one tick see one state, those of the next tick the newest", async () => {
  expect(count()).toBe(0);
  writer.run("insert into notes values (1)", []);
  expect(count()).toBe(0);
  await tick();
  expect(count()).toBe(1);
});

test("a commit of this process is visible in the same tick", () => {
  expect(count()).toBe(0);
  writer.run("insert into notes values (1)", []);
  commits.raise();
  expect(count()).toBe(1);
});

test("no transaction stays open after a tick, or after a read that failed", async () => {
  expect(count()).toBe(0);
  expect(reader.inTransaction).toBe(true);
  expect(() => reads.run("select * from nothing", [])).toThrow(/nothing/);
  await tick();
  expect(reader.inTransaction).toBe(false);
  expect(count()).toBe(0);
});

test("a disk error at the end of a tick harms no later one", () => {
  expect(count()).toBe(0);
  const run = reader.run.bind(reader);
  const failing = vi.spyOn(reader, "run").mockImplementation((text, parameters) => {
    if (text === "commit" || text === "rollback") throw new StorageError("disk I/O error");
    return run(text, parameters);
  });
  // In a tick it runs in its own callback, where an error would end the process.
  reads.end();
  expect(count).toThrow("disk I/O error");
  failing.mockRestore();
  writer.run("insert into notes values (1)", []);
  expect(count()).toBe(1);
});
