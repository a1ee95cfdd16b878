import { SQL } from "bun";
import { expect, test } from "vitest";
import type { MergeableUnit, Writer } from "#server/database/database.ts";
import {
  ConnectionLostError,
  DuplicateError,
  OverloadedError,
  StorageError,
} from "#server/kit/storage-errors.ts";
import { columnType } from "#server/database/migration.ts";
import { join, raw, statement } from "#server/database/statement.ts";
import { describeOnEachDatabase, type WholeDatabase, openWhole } from "#test/support/databases.ts";
import { describeNeeding } from "#test/support/needs.ts";
import { createTestDatabase, missingPostgres } from "#test/support/postgres.ts";

const notes = {
  name: "0001-notes",
  up: (context: { run(part: ReturnType<typeof statement>): Promise<void> }) =>
    context.run(statement`create table notes (
      id ${columnType.integer} primary key, transaction_id ${columnType.text}
    )`),
};

interface Note {
  readonly id: number;
  readonly weight?: number;
  readonly isMergeable?: boolean;
}

/** On PostgreSQL each row has the id of its transaction. */
const transaction = (writer: Writer) =>
  raw(writer.dialect === "sqlite" ? "''" : "pg_current_xact_id()::text");

const newNotes: MergeableUnit<Note> = {
  isMergeable: ({ isMergeable = true }) => isMergeable,
  weight: ({ weight = 1 }) => weight,
  one: async (writer, { id }) =>
    void (await writer.run(statement`insert into notes values (${id}, ${transaction(writer)})`)),
  async all(writer, items) {
    const rows = items.map(({ id }) => statement`(${id}, ${transaction(writer)})`);
    const made = await writer.all<{ id: number }>(statement`insert into notes
      values ${join(rows)} on conflict do nothing returning id`);
    const ids = new Set(made.map(({ id }) => id));
    return items.map(({ id }) => ids.delete(id));
  },
  isOneStatement: () => true,
};

const rows = (database: WholeDatabase) =>
  database.read.all<{ id: number; transaction_id: string }>(
    statement`select id, transaction_id from notes order by id`,
  );
const many = (count: number, each: Partial<Note> = {}): Note[] =>
  Array.from({ length: count }, (_, id) => ({ id, ...each }));

describeOnEachDatabase("merged writes", (open, { engine }) => {
  const transactionsOf = async (database: WholeDatabase): Promise<number> =>
    new Set((await rows(database)).map((row) => row.transaction_id)).size;

  test("are all done", async () => {
    const database = await open({ migrations: [notes] });
    const write = database.merged(newNotes);
    await Promise.all(many(300).map((note) => write(note)));
    expect((await rows(database)).map(({ id }) => id)).toEqual(many(300).map(({ id }) => id));
    if (engine === "postgresql") expect(await transactionsOf(database)).toBeLessThan(30);
  });

  test("that may not be merged have one transaction each", async () => {
    const database = await open({ migrations: [notes] });
    const write = database.merged(newNotes);
    await Promise.all(many(20, { isMergeable: false }).map((note) => write(note)));
    expect(await rows(database)).toHaveLength(20);
    if (engine === "postgresql") expect(await transactionsOf(database)).toBe(20);
  });

  test("of large weight have one transaction each", async () => {
    const database = await open({ migrations: [notes] });
    const write = database.merged(newNotes);
    await Promise.all(many(9, { weight: 1024 * 1024 }).map((note) => write(note)));
    expect(await rows(database)).toHaveLength(9);
    if (engine === "postgresql") expect(await transactionsOf(database)).toBe(9);
  });

  test("are refused one by one, each with its own reason", async () => {
    const database = await open({ migrations: [notes] });
    const write = database.merged(newNotes);
    await write({ id: 3 });
    const results = await Promise.allSettled([1, 2, 2, 3, 4].map((id) => write({ id })));
    const reasons = results.map((result) => (result.status === "rejected" ? result.reason : "ok"));
    const isDuplicate = expect.any(DuplicateError);
    expect(reasons).toEqual(["ok", "ok", isDuplicate, isDuplicate, "ok"]);
    expect((await rows(database)).map(({ id }) => id)).toEqual([1, 2, 3, 4]);
  });

  test("fail alone when one of them breaks the common statement", async () => {
    const database = await open({ migrations: [notes] });
    const write = database.merged<Note>({
      ...newNotes,
      isOneStatement: () => false,
      one: async (writer, note) => {
        if (note.id === 7) throw new TypeError("seven is no note");
        await newNotes.one(writer, note);
      },
      all: async (writer, items) => {
        const done = await newNotes.all(writer, items);
        if (items.some(({ id }) => id === 7)) throw new TypeError("one of them is no note");
        return done;
      },
    });
    const results = await Promise.allSettled(many(10).map((note) => write(note)));
    const refused = results.flatMap((result, id) => (result.status === "rejected" ? [id] : []));
    expect(refused).toEqual([7]);
    expect(results[7]).toMatchObject({ reason: { message: "seven is no note" } });
    expect(await rows(database)).toHaveLength(9);
  });

  test("are refused when too many are pending", async () => {
    const database = await open({ migrations: [notes], queueLimit: 5, poolSize: 1 });
    const write = database.merged(newNotes);
    const results = await Promise.allSettled(many(20).map((note) => write(note)));
    const refused = results.filter((result) => result.status === "rejected");
    expect(refused.length).toBeGreaterThan(0);
    for (const { reason } of refused) expect(reason).toBeInstanceOf(OverloadedError);
    expect(await rows(database)).toHaveLength(20 - refused.length);
    await write({ id: 20 });
  });

  test("are completed by a close, and refused after it", async () => {
    const database = await open({ migrations: [notes] });
    const write = database.merged(newNotes);
    const writing = Promise.all(many(300).map((note) => write(note)));
    const closed = database.close();
    await writing;
    await closed;
    await expect(write({ id: 300 })).rejects.toThrow(StorageError);
  });
});

describeNeeding("merged writes on PostgreSQL", missingPostgres, () => {
  test("of one statement are as serializable as units", async () => {
    const { url, drop } = await createTestDatabase();
    const database = await openWhole({ url, migrations: [notes], poolSize: 2 });
    try {
      const isolation = raw("current_setting('transaction_isolation')");
      const write = database.merged<Note>({
        ...newNotes,
        async all(writer, items) {
          const values = items.map(({ id }) => statement`(${id}, ${isolation})`);
          await writer.run(statement`insert into notes values ${join(values)}`);
          return items.map(() => true);
        },
      });
      await Promise.all(many(5).map((note) => write(note)));
      const levels = new Set((await rows(database)).map((row) => row.transaction_id));
      expect([...levels]).toEqual(["serializable"]);
    } finally {
      await database.close();
      await drop();
    }
  });

  test("do not run again after a lost connection: they may be durable", async () => {
    const { url, drop } = await createTestDatabase();
    const database = await openWhole({ url, migrations: [notes], poolSize: 2 });
    const administrator = new SQL(url, { max: 1 });
    let attempts = 0;
    try {
      const write = database.merged<Note>({
        ...newNotes,
        isOneStatement: () => false,
        one: async (writer, note) => {
          attempts += 1;
          await newNotes.one(writer, note);
        },
        all: async (writer, items) => {
          attempts += 1;
          const done = await newNotes.all(writer, items);
          await administrator`select pg_terminate_backend(pid) from pg_stat_activity
            where datname = current_database() and pid <> pg_backend_pid()`;
          await writer.first(statement`select 1 as one`);
          return done;
        },
      });
      const results = await Promise.allSettled(many(3).map((note) => write(note)));
      for (const result of results) {
        expect(result).toMatchObject({ reason: expect.any(ConnectionLostError) });
      }
      expect(attempts).toBe(1);
    } finally {
      await administrator.close();
      await database.close();
      await drop();
    }
  });
});
