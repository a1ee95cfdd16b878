import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { DuplicateError, StorageError } from "#server/kit/storage-errors.ts";
import { GroupCommit } from "#server/database/sqlite/group-commit.ts";
import { LogSync } from "#server/database/sqlite/log-sync.ts";
import { SqliteConnection } from "#server/database/sqlite/sqlite-connection.ts";
import { statement } from "#server/database/statement.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";

/** Commits on a new database; the test's `sync` stands for the disk. */
function commitsOver(sync: () => Promise<void>): {
  commits: GroupCommit;
  rows: () => unknown[];
} {
  const connection = new SqliteConnection(":memory:", { readonly: false });
  connection.execute("create table notes (id integer primary key)");
  const commits = new GroupCommit(connection, {
    queueLimit: 100,
    batchLimit: 100,
    unitTimeoutMs: 5_000,
    sync,
  });
  return { commits, rows: () => connection.run("select id from notes order by id", []).rows };
}

/** Keeps the thread busy, so that a unit costs more than its turn. */
function work(forMs: number): void {
  const endsAt = performance.now() + forMs;
  while (performance.now() < endsAt);
}

const insert = (id: number) => statement`insert into notes (id) values (${id})`;

/** A disk on which the test ends each sync, in their order. */
function slowDisk(): { sync: () => Promise<void>; asked: PromiseWithResolvers<void>[] } {
  const asked: PromiseWithResolvers<void>[] = [];
  const sync = (): Promise<void> => {
    const one = Promise.withResolvers<void>();
    asked.push(one);
    return one.promise;
  };
  return { sync, asked };
}

const tick = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Some ticks, in which everything that waits for nothing else runs. */
async function someTicks(): Promise<void> {
  for (let ticks = 0; ticks < 20; ticks += 1) await tick();
}

test("a unit is answered when its commit is on the disk, while other units are committed", async () => {
  const disk = slowDisk();
  const { commits, rows } = commitsOver(disk.sync);
  const answered: number[] = [];
  const write = (id: number): Promise<unknown> =>
    commits.write((unit) => unit.run(insert(id))).then(() => answered.push(id));

  const units = [write(1)];
  await someTicks();
  expect(disk.asked).toHaveLength(1);
  units.push(write(2));
  await someTicks();
  // Committed during the first sync; its own sync comes after that one.
  expect(rows()).toEqual([{ id: 1 }, { id: 2 }]);
  expect(disk.asked).toHaveLength(1);
  units.push(write(3), write(4));
  await someTicks();
  // These wait until the second sync has begun.
  expect(rows()).toEqual([{ id: 1 }, { id: 2 }]);
  expect(answered).toEqual([]);

  disk.asked[0]?.resolve();
  await someTicks();
  expect(answered).toEqual([1]);
  expect(rows()).toEqual([{ id: 1 }, { id: 2 }, { id: 3 }, { id: 4 }]);
  expect(disk.asked).toHaveLength(2);
  disk.asked[1]?.resolve();
  await someTicks();
  expect(answered).toEqual([1, 2]);
  disk.asked[2]?.resolve();
  await Promise.all(units);
  expect(answered).toEqual([1, 2, 3, 4]);
  expect(disk.asked).toHaveLength(3);
});

test("data that a unit only read is on the disk when the unit is answered", async () => {
  const disk = slowDisk();
  const { commits } = commitsOver(disk.sync);
  const written = commits.write((unit) => unit.run(insert(1)));
  await someTicks();
  let seen: unknown;
  const read = commits
    .write(async (unit) => unit.first(statement`select id from notes`))
    .then((row) => (seen = row));
  await someTicks();
  expect(seen).toBeUndefined();
  disk.asked[0]?.resolve();
  await Promise.all([written, read]);
  expect(seen).toEqual({ id: 1 });
  // Its batch wrote nothing: one sync was enough.
  expect(disk.asked).toHaveLength(1);
});

test("a batch that was committed while the sync failed is refused with the one before", async () => {
  const disk = slowDisk();
  const { commits } = commitsOver(disk.sync);
  const refused: number[] = [];
  const write = (id: number): Promise<unknown> =>
    commits.write((unit) => unit.run(insert(id))).catch(() => refused.push(id));
  const units = [write(1)];
  await someTicks();
  units.push(write(2));
  await someTicks();
  units.push(write(3));
  disk.asked[0]?.reject(new StorageError("the disk is gone"));
  await Promise.all(units);
  expect(refused.toSorted((a, b) => a - b)).toEqual([1, 2, 3]);
  expect(disk.asked).toHaveLength(1);
  await expect(commits.write((unit) => unit.run(insert(4)))).rejects.toThrow("the disk is gone");
});

test("a close waits for the disk", async () => {
  const disk = slowDisk();
  const { commits } = commitsOver(disk.sync);
  const written = commits.write((unit) => unit.run(insert(1)));
  let isClosed = false;
  const closed = commits.close().then(() => (isClosed = true));
  await someTicks();
  expect(isClosed).toBe(false);
  disk.asked[0]?.resolve();
  await Promise.all([written, closed]);
  expect(isClosed).toBe(true);
});

test("a unit that wrote nothing waits for no sync", async () => {
  const { commits } = commitsOver(() => Promise.reject(new Error("nothing was to be synced")));
  const count = statement`select count(*) as n from notes`;
  expect(await commits.write(async (unit) => unit.first(count))).toEqual({ n: 0 });
});

test("units are refused when the disk fails, and so are all after them", async () => {
  const directory = await temporaryDirectory("log");
  const log = new LogSync(join(directory, "svc.db-wal"));
  const { commits, rows } = commitsOver(() => log.sync());
  const refused = [1, 2].map((id) => commits.write((unit) => unit.run(insert(id))));
  for (const unit of refused) await expect(unit).rejects.toThrow(StorageError);
  // The system has forgotten the failed data: a working file changes nothing.
  await writeFile(join(directory, "svc.db-wal"), "");
  await expect(commits.write((unit) => unit.run(insert(3)))).rejects.toThrow(/start again/);
  expect(rows()).toEqual([{ id: 1 }, { id: 2 }]);
  await log.close();
});

test("units run again and succeed when another one of their batch fails after it wrote", async () => {
  const { commits, rows } = commitsOver(async () => {});
  const runs = [0, 0, 0, 0];
  const unit = (at: number, fails: boolean): Promise<void> =>
    commits.write(async (writer) => {
      runs[at] = (runs[at] ?? 0) + 1;
      await writer.run(insert(at));
      if (fails) throw new Error(`unit ${at} is no good`);
    });
  const units = [unit(0, false), unit(1, true), unit(2, false), unit(3, true)];
  const outcomes = await Promise.allSettled(units);
  expect(outcomes.map(({ status }) => status)).toEqual([
    "fulfilled",
    "rejected",
    "fulfilled",
    "rejected",
  ]);
  expect(rows()).toEqual([{ id: 0 }, { id: 2 }]);
  // The first failure rolls back the batch; from then on each unit fails alone.
  expect(runs).toEqual([2, 1, 1, 1]);
});

test("no unit runs again when another one fails before it wrote anything", async () => {
  const { commits, rows } = commitsOver(async () => {});
  await commits.write((unit) => unit.run(insert(1)));
  let runs = 0;
  const good = commits.write(async (unit) => {
    runs += 1;
    await unit.run(insert(2));
  });
  const taken = commits.write((unit) => unit.run(insert(1)));
  const unwilling = commits.write(() => Promise.reject(new Error("not like this")));
  await expect(taken).rejects.toThrow(DuplicateError);
  await expect(unwilling).rejects.toThrow("not like this");
  await good;
  expect(runs).toBe(1);
  expect(rows()).toEqual([{ id: 1 }, { id: 2 }]);
});

test("a last statement fails only its own unit, also after another failure", async () => {
  const { commits, rows } = commitsOver(async () => {});
  const refused = commits.write(() => Promise.reject(new Error("not like this")));
  const good = commits.write((unit) => unit.run(insert(1)));
  const late = commits.write(async (unit) => {
    await unit.run(insert(2));
    unit.runLast(insert(1));
  });
  await expect(refused).rejects.toThrow("not like this");
  await expect(late).rejects.toThrow(DuplicateError);
  await good;
  expect(rows()).toEqual([{ id: 1 }]);
});

test("units of workspaces take turns, and a short one does not wait for all long ones", async () => {
  const { commits } = commitsOver(() => Promise.resolve());
  const order: string[] = [];
  const write = (share: string, id: number, forMs: number): Promise<unknown> =>
    commits.write(async (unit) => {
      await unit.run(insert(id));
      work(forMs);
      order.push(`${share}${id}`);
    }, share);
  const long = [1, 2, 3, 4].map((id) => write("a", id, 3));
  const short = [5, 6].map((id) => write("b", id, 0));
  await Promise.all(short);
  expect(order.slice(0, 3)).toEqual(["a1", "b5", "b6"]);
  await Promise.all(long);
  expect(order).toEqual(["a1", "b5", "b6", "a2", "a3", "a4"]);
  await commits.close();
});

test("a long unit lets the thread do other work between its statements", async () => {
  const { commits, rows } = commitsOver(() => Promise.resolve());
  let ticks = 0;
  let isDone = false;
  const counting = (async () => {
    for (; !isDone; ticks += 1) await tick();
  })();
  await commits.write(async (unit) => {
    for (let id = 1; id <= 20; id += 1) {
      await unit.run(insert(id));
      work(3);
    }
  });
  isDone = true;
  await counting;
  // It begins in a tick and is answered in another one; without ticks in between there are two.
  expect(ticks).toBeGreaterThan(8);
  expect(rows()).toHaveLength(20);
  await commits.close();
});

test("a batch commits before all waiting units have run, unless the disk is busy", async () => {
  const disk = slowDisk();
  const { commits, rows } = commitsOver(disk.sync);
  const units = [1, 2, 3, 4].map((id) =>
    commits.write(async (unit) => {
      await unit.run(insert(id));
      work(6);
    }),
  );
  await tick();
  await tick();
  // The first unit is with the disk; the others wait together for the end of its sync.
  expect(disk.asked).toHaveLength(1);
  await someTicks();
  expect(rows()).toHaveLength(4);
  expect(disk.asked).toHaveLength(1);
  disk.asked[0]?.resolve();
  await someTicks();
  expect(disk.asked).toHaveLength(2);
  disk.asked[1]?.resolve();
  await Promise.all(units);
  await commits.close();
});

test("a unit that let others work meanwhile ends its batch, as any long one does", async () => {
  const committed: number[] = [];
  const { commits, rows } = commitsOver(async () => void committed.push(rows().length));
  const long = commits.write(async (unit) => {
    await unit.run(insert(1));
    work(6);
    await unit.run(insert(2));
  });
  const short = commits.write((unit) => unit.run(insert(3)));
  await Promise.all([long, short]);
  expect(committed).toEqual([2, 3]);
  await commits.close();
});

test("last statements let the thread do other work between them", async () => {
  const { commits, rows } = commitsOver(async () => {});
  let ticks = 0;
  let isDone = false;
  const counting = (async () => {
    for (; !isDone; ticks += 1) await tick();
  })();
  await commits.write(async (unit) => {
    for (let id = 1; id <= 10; id += 1) {
      unit.runLast(statement`with recursive n(n) as
        (select 1 union all select n + 1 from n where n < 100000)
        insert into notes (id) select ${id} where (select count(*) from n) = 100000`);
    }
  });
  isDone = true;
  await counting;
  expect(ticks).toBeGreaterThan(8);
  expect(rows()).toHaveLength(10);
  await commits.close();
});
