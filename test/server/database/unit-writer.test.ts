import { expect, test } from "vitest";
import type { DatabaseOptions } from "#server/database/open-options.ts";
import {
  DuplicateError,
  ForeignKeyError,
  OverloadedError,
  StorageError,
  UnitTimeoutError,
} from "#server/kit/storage-errors.ts";
import { columnType } from "#server/database/migration.ts";
import type { Migration } from "#server/database/migration.ts";
import { statement } from "#server/database/statement.ts";
import { describeOnEachDatabase, type WholeDatabase } from "#test/support/databases.ts";

const accounts: Migration = {
  name: "0001-accounts",
  async up(context) {
    await context.run(statement`create table accounts (
      name ${columnType.text} primary key,
      balance ${columnType.integer} not null
    )`);
    await context.run(statement`create table payments (
      id ${columnType.integer} primary key,
      account ${columnType.text} not null references accounts (name)
    )`);
  },
};

interface Account {
  readonly name: string;
  readonly balance: number;
}

const all = (database: WholeDatabase): Promise<Account[]> =>
  database.read.all<Account>(statement`select name, balance from accounts order by name`);

const insert = (name: string, balance = 0) =>
  statement`insert into accounts (name, balance) values (${name}, ${balance})`;

describeOnEachDatabase("write units", (open) => {
  const openAccounts = (options: Partial<DatabaseOptions> = {}): Promise<WholeDatabase> =>
    open({ migrations: [accounts], ...options });

  test("rows of a unit are readable when it resolves", async () => {
    const database = await openAccounts();
    const result = await database.write(async (writer) => {
      await writer.run(insert("ada", 5));
      const { changedRows } = await writer.run(
        statement`update accounts set balance = balance + ${2} where name = ${"ada"}`,
      );
      return { changedRows, own: await writer.first(statement`select balance from accounts`) };
    });
    expect(result).toEqual({ changedRows: 1, own: { balance: 7 } });
    expect(await all(database)).toEqual([{ name: "ada", balance: 7 }]);
  });

  test("rows of a unit are not readable before its commit", async () => {
    const database = await openAccounts();
    let seenMeanwhile: Account[] | undefined;
    await database.write(async (writer) => {
      await writer.run(insert("ada"));
      seenMeanwhile = await all(database);
    });
    expect(seenMeanwhile).toEqual([]);
  });

  test("a unit that throws leaves nothing, and the others of its batch succeed", async () => {
    const database = await openAccounts();
    const results = await Promise.allSettled([
      database.write((writer) => writer.run(insert("ada"))),
      database.write(async (writer) => {
        await writer.run(insert("bob"));
        throw new Error("changed my mind");
      }),
      database.write((writer) => writer.run(insert("cleo"))),
    ]);
    expect(results.map((result) => result.status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
    expect(results[1]).toMatchObject({ reason: { message: "changed my mind" } });
    expect((await all(database)).map((row) => row.name)).toEqual(["ada", "cleo"]);
  });

  test("last statements are committed with their unit, or not at all", async () => {
    const database = await openAccounts();
    const results = await Promise.allSettled([
      database.write(async (writer) => {
        writer.runLast(insert("ada"));
        const ada = statement`select name from accounts where name = ${"ada"}`;
        expect(await writer.all(ada)).toEqual([]);
      }),
      database.write(async (writer) => {
        writer.runLast(insert("bob"));
        throw new Error("changed my mind");
      }),
      database.write((writer) => writer.run(insert("cleo"))),
    ]);
    expect(results.map((result) => result.status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
    expect((await all(database)).map((row) => row.name)).toEqual(["ada", "cleo"]);
  });

  test("a unit fails with its last statement, and the others of its batch succeed", async () => {
    const database = await openAccounts();
    const results = await Promise.allSettled([
      database.write((writer) => writer.run(insert("ada"))),
      database.write(async (writer) => {
        await writer.run(insert("bob"));
        writer.runLast(insert("bob"));
      }),
      database.write(async (writer) => writer.runLast(insert("cleo"))),
    ]);
    expect(results.map((result) => result.status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
    expect(results[1]).toMatchObject({ reason: expect.any(DuplicateError) });
    expect((await all(database)).map((row) => row.name)).toEqual(["ada", "cleo"]);
  });

  test("a single unit that throws leaves nothing", async () => {
    const database = await openAccounts();
    const unit = database.write(async (writer) => {
      await writer.run(insert("ada"));
      throw new Error("no");
    });
    await expect(unit).rejects.toThrow("no");
    expect(await all(database)).toEqual([]);
  });

  test("a failed statement fails its unit even when the unit catches it", async () => {
    const database = await openAccounts();
    await database.write((writer) => writer.run(insert("ada")));
    const unit = database.write(async (writer) => {
      await writer.run(insert("bob"));
      await writer.run(insert("ada")).catch(() => {});
      return "all is well";
    });
    await expect(unit).rejects.toThrow(DuplicateError);
    expect((await all(database)).map((row) => row.name)).toEqual(["ada"]);
  });

  test("duplicates and dangling references have typed errors", async () => {
    const database = await openAccounts();
    await database.write((writer) => writer.run(insert("ada")));
    await expect(database.write((writer) => writer.run(insert("ada")))).rejects.toThrow(
      DuplicateError,
    );
    const dangling = database.write((writer) =>
      writer.run(statement`insert into payments (id, account) values (${1}, ${"nobody"})`),
    );
    await expect(dangling).rejects.toThrow(ForeignKeyError);
  });

  test("on conflict do nothing changes no rows, and the unit continues", async () => {
    const database = await openAccounts();
    await database.write((writer) => writer.run(insert("ada", 1)));
    const changed = await database.write(async (writer) => {
      const first = await writer.run(statement`${insert("ada", 2)} on conflict (name) do nothing`);
      const second = await writer.run(statement`${insert("bob", 3)} on conflict (name) do nothing`);
      return [first.changedRows, second.changedRows];
    });
    expect(changed).toEqual([0, 1]);
    expect(await all(database)).toEqual([
      { name: "ada", balance: 1 },
      { name: "bob", balance: 3 },
    ]);
  });

  test("returning gives the written rows", async () => {
    const database = await openAccounts();
    const rows = await database.write((writer) =>
      writer.all(statement`${insert("ada", 4)} returning name, balance`),
    );
    expect(rows).toEqual([{ name: "ada", balance: 4 }]);
  });

  test("units that read, compute and write never lose an update", async () => {
    const database = await openAccounts();
    await database.write((writer) => writer.run(insert("ada", 0)));
    const addOne = () =>
      database.write(async (writer) => {
        const row = await writer.first<Account>(statement`select balance from accounts`);
        await writer.run(statement`update accounts set balance = ${(row?.balance ?? 0) + 1}`);
      });
    await Promise.all(Array.from({ length: 20 }, addOne));
    expect(await all(database)).toEqual([{ name: "ada", balance: 20 }]);
  });

  test("a unit that awaits something else is rolled back and refused", async () => {
    const database = await openAccounts({ unitTimeoutMs: 60 });
    const wake = Promise.withResolvers<void>();
    const late = Promise.withResolvers<unknown>();
    const slow = database.write(async (writer) => {
      await writer.run(insert("slow"));
      await wake.promise;
      await writer.run(insert("late")).catch(late.resolve);
    });
    const next = database.write((writer) => writer.run(insert("next")));
    await expect(slow).rejects.toThrow(UnitTimeoutError);
    await next;
    wake.resolve();
    expect(await late.promise).toBeInstanceOf(UnitTimeoutError);
    expect((await all(database)).map((row) => row.name)).toEqual(["next"]);
  });

  test("a writer is refused after its unit", async () => {
    const database = await openAccounts();
    const kept = await database.write(async (writer) => ({ writer }));
    await expect(kept.writer.run(insert("ada"))).rejects.toThrow("after its unit has ended");
  });

  test("units beyond the queue limit are refused, the others are done", async () => {
    const database = await openAccounts({ queueLimit: 5, poolSize: 1 });
    const results = await Promise.allSettled(
      Array.from({ length: 10 }, (_, index) =>
        database.write((writer) => writer.run(insert(`a${index}`))),
      ),
    );
    const refused = results.filter((result) => result.status === "rejected");
    expect(refused.length).toBeGreaterThan(0);
    for (const result of refused) expect(result.reason).toBeInstanceOf(OverloadedError);
    expect(await all(database)).toHaveLength(10 - refused.length);
    await database.write((writer) => writer.run(insert("later")));
    expect(await all(database)).toHaveLength(11 - refused.length);
  });

  test("a read connection refuses to write", async () => {
    const database = await openAccounts();
    await expect(database.read.all(insert("ada"))).rejects.toThrow(StorageError);
    await expect(database.scan.all(insert("ada"))).rejects.toThrow(StorageError);
    expect(await all(database)).toEqual([]);
  });

  test("a close completes waiting units and refuses later ones", async () => {
    const database = await openAccounts();
    const unit = database.write(async (writer) => {
      await writer.run(insert("ada"));
      return "done";
    });
    await Promise.resolve();
    const closed = database.close();
    expect(await unit).toBe("done");
    await closed;
    await expect(database.write(async () => 1)).rejects.toThrow(StorageError);
    await expect(database.read.all(statement`select 1`)).rejects.toThrow(StorageError);
    await expect(database.scan.all(statement`select 1`)).rejects.toThrow(StorageError);
  });
});
