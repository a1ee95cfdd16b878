import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { chmod, readdir, stat, unlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import type { DatabaseOptions } from "#server/database/open-options.ts";
import {
  DataDirectoryInUseError,
  SchemaMismatchError,
  StorageError,
  StorageFullError,
} from "#server/kit/storage-errors.ts";
import { lockDirectory } from "#server/database/sqlite/directory-lock.ts";
import { SqliteConnection } from "#server/database/sqlite/sqlite-connection.ts";
import { raw, statement } from "#server/database/statement.ts";
import { describeNeeding } from "#test/support/needs.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";
import { missingTmpfs, mountTmpfs } from "#test/support/tmpfs.ts";
import { type WholeDatabase, openWhole } from "#test/support/databases.ts";

const notes = {
  name: "0001-notes",
  up: (context: { run(part: ReturnType<typeof raw>): Promise<void> }) =>
    context.run(raw("create table notes (id integer primary key, body text)")),
};

const open = async (options: Partial<DatabaseOptions> = {}): Promise<WholeDatabase> => {
  const url = options.url ?? `sqlite:${join(await temporaryDirectory("db"), "data", "svc.db")}`;
  const database = await openWhole({ migrations: [notes], ...options, url });
  onTestFinished(() => database.close());
  return database;
};

const insert = (body: string) => statement`insert into notes (body) values (${body})`;

describe("an SQLite database", () => {
  test("is readable only for its owner, and closes without leftovers", async () => {
    const directory = join(await temporaryDirectory("db"), "data");
    const database = await open({ url: `sqlite:${join(directory, "svc.db")}` });
    expect((await stat(directory)).mode & 0o777).toBe(0o700);
    expect((await stat(join(directory, "svc.db"))).mode & 0o777).toBe(0o600);
    await database.write((writer) => writer.run(insert("a")));
    // The directory existed before, so only the modes of the files protect them.
    for (const name of await readdir(directory)) {
      expect([name, (await stat(join(directory, name))).mode & 0o077]).toEqual([name, 0]);
    }
    await database.close();
    expect((await readdir(directory)).toSorted()).toEqual(["svc.db", "svc.db.lock"]);
  });

  test("has the settings for durability", async () => {
    const database = await open();
    const pragma = (name: string) =>
      database.write(async (writer) =>
        writer.first<Record<string, unknown>>(raw(`pragma ${name}`)),
      );
    expect(await pragma("synchronous")).toEqual({ synchronous: 1 });
    expect(await pragma("journal_mode")).toEqual({ journal_mode: "wal" });
    expect(await pragma("foreign_keys")).toEqual({ foreign_keys: 1 });
    expect(await pragma("page_size")).toEqual({ page_size: 4096 });
    expect(await database.read.all(raw("pragma query_only"))).toEqual([{ query_only: 1 }]);
    expect(await database.scan.all(raw("pragma query_only"))).toEqual([{ query_only: 1 }]);
  });

  test.each([
    ["its file was removed", "svc.db", false],
    ["another file has its name", "svc.db", true],
    ["its log was removed", "svc.db-wal", false],
  ])("acknowledges no write after %s", async (_case, name, isReplaced) => {
    const directory = await temporaryDirectory("db");
    const database = await open({ url: `sqlite:${join(directory, "svc.db")}` });
    await database.write((writer) => writer.run(insert("before")));
    await unlink(join(directory, name));
    if (isReplaced) await writeFile(join(directory, name), "");
    const lost = /was removed or replaced/;
    await expect(database.write((writer) => writer.run(insert("after")))).rejects.toThrow(lost);
    await expect(database.write((writer) => writer.run(insert("later")))).rejects.toThrow(lost);
  });

  test("a second platform on the directory is refused", async () => {
    const path = join(await temporaryDirectory("db"), "svc.db");
    const first = await open({ url: `sqlite:${path}` });
    const second = openWhole({ url: `sqlite://${path}`, migrations: [notes] });
    await expect(second).rejects.toThrow(DataDirectoryInUseError);
    await expect(second).rejects.toThrow(/another svc serves it. Stop that one, or name another/);
    await first.close();
    const third = await open({ url: `sqlite:${path}` });
    expect(await third.read.all(statement`select id from notes`)).toEqual([]);
  });

  test("a tool may share it, and may migrate it only while no platform serves it", async () => {
    const url = `sqlite:${join(await temporaryDirectory("db"), "svc.db")}`;
    const platform = await open({ url });
    const tool = await open({ url, isExclusive: false });
    await tool.write((writer) => writer.run(insert("by the tool")));
    await platform.write((writer) => writer.run(insert("by the platform")));
    expect(await platform.read.all(statement`select body from notes order by id`)).toEqual([
      { body: "by the tool" },
      { body: "by the platform" },
    ]);
    await tool.close();
    const more = { name: "0002-more", up: notes.up };
    const behind = openWhole({ url, migrations: [notes, more], isExclusive: false });
    await expect(behind).rejects.toThrow(SchemaMismatchError);
    await platform.close();

    const alone = await open({ url, isExclusive: false });
    await expect(alone.read.all(statement`select id from notes`)).resolves.toHaveLength(2);
    // The tool has released the lock: the platform can start.
    await open({ url });
  });

  test("an unusable lock file does not count as another process", async () => {
    const directory = await temporaryDirectory("db");
    expect(() => lockDirectory(directory, directory)).toThrow(StorageError);
    expect(() => lockDirectory(directory, directory)).not.toThrow(DataDirectoryInUseError);
  });

  test("refuses URLs of no database, without showing a password", async () => {
    await expect(openWhole({ url: "sqlite:", migrations: [] })).rejects.toThrow(
      'expected a path after "sqlite:"',
    );
    const foreign = openWhole({ url: "mysql://root:hunter2@localhost/x", migrations: [] });
    await expect(foreign).rejects.toThrow('Cannot open a database with "mysql:"');
    await expect(foreign).rejects.not.toThrow("hunter2");
  });

  test("a file that is not a database is a storage error", async () => {
    const path = join(await temporaryDirectory("db"), "svc.db");
    await Bun.write(
      path,
      "this is not an SQLite database, but long enough to look at. ".repeat(20),
    );
    await expect(openWhole({ url: `sqlite:${path}`, migrations: [] })).rejects.toThrow(
      StorageError,
    );
    await chmod(path, 0o600);
  });

  test("when it is full, writes that do not fit are refused and others work", async () => {
    const database = await open({ maximumBytes: 40 * 8192 });
    const large = "x".repeat(20_000);
    const results = await Promise.allSettled(
      Array.from({ length: 30 }, (_, index) =>
        database.write((writer) => writer.run(insert(`${index} ${large}`))),
      ),
    );
    const refused = results.filter((result) => result.status === "rejected");
    expect(refused.length).toBeGreaterThan(10);
    for (const result of refused) expect(result.reason).toBeInstanceOf(StorageFullError);
    expect(refused.length).toBeLessThan(20);
    const kept = await database.read.all(statement`select id from notes`);
    expect(kept).toHaveLength(30 - refused.length);

    const larger = insert(large.repeat(2));
    await expect(database.write((writer) => writer.run(larger))).rejects.toThrow(StorageFullError);
    await database.write((writer) => writer.run(statement`delete from notes`));
    await database.write((writer) => writer.run(insert(large)));
    expect(await database.read.all(statement`select id from notes`)).toHaveLength(1);
  });

  test("a checkpoint in another thread never delays a writer, and the log restarts", async () => {
    const path = join(await temporaryDirectory("db"), "svc.db");
    const database = await open({ url: `sqlite:${path}` });
    const fill = () =>
      database.write(async (writer) => {
        for (let index = 0; index < 200; index += 1) {
          await writer.run(insert("y".repeat(100_000)));
        }
      });
    await fill();
    const grown = (await stat(`${path}-wal`)).size;
    expect(grown).toBeGreaterThan(16 * 1024 * 1024);
    const observer = new SqliteConnection(path, { readonly: false });
    for (let round = 1; round <= 4; round += 1) {
      const copied = () => {
        const [row] = observer.run("pragma wal_checkpoint(noop)", []).rows;
        return row?.["log"] === row?.["checkpointed"];
      };
      await expect.poll(copied, { timeout: 10_000, interval: 20 }).toBe(true);
      await fill();
    }
    observer.close();
    expect((await stat(`${path}-wal`)).size).toBeLessThan(grown * 2);
  });
});

describe("an SQLite connection", () => {
  test("keeps a bounded number of statements prepared", () => {
    const connection = new SqliteConnection(":memory:", { readonly: false });
    for (let index = 0; index < 2_000; index += 1) {
      expect(connection.run(`select ${index} as n`, []).rows).toEqual([{ n: index }]);
    }
    expect(connection.run("select 0 as n", []).rows).toEqual([{ n: 0 }]);
    connection.close();
  });
});

describeNeeding("an SQLite database on a full disk", missingTmpfs, () => {
  test("is refused as full when it cannot be opened", async () => {
    const directory = await temporaryDirectory("full-db");
    await using _mounted = await mountTmpfs(directory, 1024 * 1024);
    const url = `sqlite:${join(directory, "svc.db")}`;
    await (await openWhole({ migrations: [notes], url })).close();
    const file = createWriteStream(join(directory, "ballast"));
    file.write(new Uint8Array(2 * 1024 * 1024));
    await once(file, "error");
    const tool = openWhole({ migrations: [notes], url, isExclusive: false });
    await expect(tool).rejects.toThrow(StorageFullError);
  });
});
