import { existsSync } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { SchemaMismatchError } from "#server/kit/storage-errors.ts";
import type { Migration } from "#server/database/migration.ts";
import { raw, statement } from "#server/database/statement.ts";
import { describeOnEachDatabase, openWhole } from "#test/support/databases.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";

const table = (number: number): Migration => ({
  name: `000${number}-t${number}`,
  up: (context) => context.run(raw(`create table t${number} (a integer)`)),
});

const names = statement`select name from svc_migrations order by name`;

describeOnEachDatabase("migrations", (open, { engine, create }) => {
  test("run once, in their order", async () => {
    const { url } = await create();
    const first = await open({ url, migrations: [table(1), table(2)] });
    expect(await first.read.all(names)).toEqual([{ name: "0001-t1" }, { name: "0002-t2" }]);
    await first.close();
    const second = await open({ url, migrations: [table(1), table(2), table(3)] });
    expect(await second.read.all(names)).toHaveLength(3);
    expect(await second.read.all(statement`select a from t3`)).toEqual([]);
  });

  test("all pending ones succeed or fail together", async () => {
    const { url } = await create();
    const broken: Migration = {
      name: "0002-broken",
      async up(context) {
        await context.run(raw("create table half (a integer)"));
        throw new Error("no further");
      },
    };
    await expect(open({ url, migrations: [table(1), broken] })).rejects.toThrow("no further");
    const database = await open({ url, migrations: [table(1), table(2)] });
    expect(await database.read.all(names)).toHaveLength(2);
    await expect(database.read.all(statement`select a from half`)).rejects.toThrow("half");
  });

  test("a database of a newer or another program is refused", async () => {
    const { url } = await create();
    await (await open({ url, migrations: [table(1), table(2)] })).close();
    const older = open({ url, migrations: [table(1)] });
    await expect(older).rejects.toThrow(SchemaMismatchError);
    await expect(older).rejects.toThrow('a newer svc made it (it has migration "0002-t2")');
    const other = open({ url, migrations: [table(2), table(3)] });
    await expect(other).rejects.toThrow('it has migration "0001-t1" instead of "0002-t2"');
  });

  test("the build before writes next to a newer one that allows it", async () => {
    const { url } = await create();
    const allowing = [2, 3].map((number) => ({ ...table(number), needs: "0001-t1" }));
    await (await open({ url, migrations: [table(1), ...allowing] })).close();
    const before = await open({ url, migrations: [table(1)] });
    await before.write((writer) => writer.run(raw("insert into t1 values (7)")));
    await before.close();
    const newest = { ...table(4), needs: "0003-t3" };
    const newer = await open({ url, migrations: [table(1), ...allowing, newest] });
    expect(await newer.read.all(statement`select a from t1`)).toEqual([{ a: 7 }]);
    await newer.close();
    await expect(open({ url, migrations: [table(1)] })).rejects.toThrow(
      '(it has migration "0004-t4", which needs a build with "0003-t3")',
    );
    await (await open({ url, migrations: [table(1), ...allowing] })).close();
    const unknown = open({ url, migrations: [table(1), table(2), table(4)] });
    await expect(unknown).rejects.toThrow('"0003-t3" instead of "0004-t4"');
  });

  // On SQLite only one process opens the data directory.
  if (engine === "sqlite") return;
  test("processes that start together migrate once", async () => {
    const { url } = await create();
    const all = [table(1), table(2)];
    const databases = await Promise.all([1, 2, 3].map(() => open({ url, migrations: all })));
    for (const database of databases) {
      expect(await database.read.all(names)).toHaveLength(2);
    }
  });
});

describe("a copy before migrations", () => {
  const copies = async (directory: string): Promise<string[]> => {
    const found: string[] = await readdir(directory).catch(() => []);
    return found.toSorted();
  };

  test("is made of a database that is not new, is complete and can be opened", async () => {
    const directory = await temporaryDirectory("copy");
    const url = `sqlite:${join(directory, "svc.db")}`;
    const now = () => new Date("2026-02-03T04:05:06.789Z");
    const first = await openWhole({ url, migrations: [table(1)], now });
    await first.write((writer) => writer.run(statement`insert into t1 (a) values (${7})`));
    await first.close();
    expect(await copies(join(directory, "backups"))).toEqual([]);

    await (await openWhole({ url, migrations: [table(1)], now })).close();
    expect(await copies(join(directory, "backups"))).toEqual([]);

    await (await openWhole({ url, migrations: [table(1), table(2)], now })).close();
    const copy = "before-0002-t2-20260203T040506789Z.db";
    expect(await copies(join(directory, "backups"))).toEqual([copy]);

    const path = join(directory, "backups", copy);
    // It has the platform's keys.
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    const restored = await openWhole({ url: `sqlite:${path}`, migrations: [table(1)], now });
    expect(await restored.read.all(statement`select a from t1`)).toEqual([{ a: 7 }]);
    await restored.close();
  });

  test("is announced before, with the size, for a large database only", async () => {
    const directory = await temporaryDirectory("copy");
    const url = `sqlite:${join(directory, "svc.db")}`;
    const announced: number[] = [];
    const onMigrating = (bytes: number): void => {
      expect(existsSync(join(directory, "backups"))).toBe(announced.length > 0);
      announced.push(bytes);
    };
    const all = [table(1), table(2)];
    const first = await openWhole({ url, migrations: all.slice(0, 1), onMigrating });
    await first.write((writer) => writer.run(raw("insert into t1 values (zeroblob(67108864))")));
    await first.close();
    await (await openWhole({ url, migrations: all, onMigrating })).close();
    expect(announced).toEqual([expect.closeTo(64 * 1024 ** 2, -6)]);
    const small = `sqlite:${join(directory, "small.db")}`;
    for (const migrations of [all.slice(0, 1), all]) {
      await (await openWhole({ url: small, migrations, onMigrating })).close();
    }
    expect(announced).toHaveLength(1);
  });

  test("is kept even when the migration fails", async () => {
    const directory = await temporaryDirectory("copy");
    const url = `sqlite:${join(directory, "svc.db")}`;
    await (await openWhole({ url, migrations: [table(1)] })).close();
    const broken: Migration = { name: "0002-broken", up: () => Promise.reject(new Error("no")) };
    const backupDirectory = join(directory, "elsewhere");
    await expect(
      openWhole({ url, migrations: [table(1), broken], backupDirectory }),
    ).rejects.toThrow("no");
    expect(await copies(backupDirectory)).toHaveLength(1);
  });

  test("is kept of the last five migrations", async () => {
    const directory = await temporaryDirectory("copy");
    const path = join(directory, "svc.db");
    const all: Migration[] = [];
    for (let number = 1; number <= 8; number += 1) {
      all.push(table(number));
      const now = () => new Date(Date.UTC(2026, 0, number));
      await (await openWhole({ url: `sqlite:${path}`, migrations: all, now })).close();
    }
    expect(await copies(join(dirname(path), "backups"))).toEqual([
      "before-0004-t4-20260104T000000000Z.db",
      "before-0005-t5-20260105T000000000Z.db",
      "before-0006-t6-20260106T000000000Z.db",
      "before-0007-t7-20260107T000000000Z.db",
      "before-0008-t8-20260108T000000000Z.db",
    ]);
  });
});
