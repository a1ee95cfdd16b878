import { expect, test } from "vitest";
import { jsonText } from "#server/database/dialect.ts";
import { raw, statement } from "#server/database/statement.ts";
import { insertChanges, RowNumbers } from "#server/work/change-batches.ts";
import type { ChangeEvent } from "#server/work/change-event.ts";
import { describeInTurn, type WholeDatabase } from "#test/support/databases.ts";

const workspaceId = "one";

describeInTurn("the rows of the feed", (open, { engine }) => {
  const store = (database: WholeDatabase, events: readonly ChangeEvent[], numbers?: RowNumbers) =>
    database.write((tx) => insertChanges(tx, events, numbers));
  const event = (subject: string): ChangeEvent => ({ kind: "record", subject, workspaceId });
  const rows = (database: WholeDatabase) =>
    database.read.all<{ number: number; events: string }>(
      statement`select number, ${jsonText("events")} as events
        from change_batches order by number`,
    );

  test("have an event once that a transaction reports twice, and others in their order", async () => {
    const database = await open();
    await store(database, [event("b"), event("a"), event("b")]);
    await store(database, [event("d"), event("c")]);
    const stored = (await rows(database)).map(({ events }) =>
      events.match(/(?<="subject": ?")[a-d]/g)?.join(""),
    );
    expect(stored).toEqual(["ba", "dc"]);
  });

  if (engine === "postgresql") return;

  const lastNumber = async (database: WholeDatabase): Promise<number> =>
    (await rows(database)).at(-1)?.number ?? 0;
  const sequence = async (database: WholeDatabase): Promise<number> => {
    const row = await database.read.first<{ seq: number }>(
      raw("select seq from sqlite_sequence where name = 'change_batches'"),
    );
    return row?.seq ?? 0;
  };

  test("have numbers of one block, which the sequence is past", async () => {
    const database = await open();
    const numbers = new RowNumbers();
    const before = await sequence(database);
    await store(database, [event("a")], numbers);
    await store(database, [event("b")], numbers);
    const moved = await sequence(database);
    const first = await lastNumber(database);
    expect(first).toBeGreaterThan(before);
    for (let at = 0; at < 100; at += 1) await store(database, [event(`c${at}`)], numbers);
    expect(await lastNumber(database)).toBe(first + 100);
    expect(await sequence(database)).toBe(moved);
    expect(moved).toBeGreaterThan(first + 100);
  });

  test("have numbers of a next block after the last one of a block", async () => {
    const database = await open();
    const numbers = new RowNumbers();
    const counts = Array.from({ length: 1_100 }, (_, at) => event(`s${at}`));
    await database.write(async (tx) => {
      for (const each of counts) await insertChanges(tx, [each], numbers);
    });
    const stored = await rows(database);
    const own = stored.slice(-counts.length).map(({ events }) => events.match(/s\d+/)?.[0]);
    expect(own).toEqual(counts.map(({ subject }) => subject));
    expect(await sequence(database)).toBeGreaterThanOrEqual(stored.at(-1)?.number ?? 0);
  });

  test.each([
    {
      name: "of another writer",
      change: (database: WholeDatabase) => store(database, [event("other")]),
    },
    {
      name: "of another platform's block",
      change: (database: WholeDatabase) => store(database, [event("other")], new RowNumbers()),
    },
    {
      name: "of a transaction that was rolled back",
      change: async (database: WholeDatabase, numbers: RowNumbers) => {
        // It moves the sequence past another block.
        await store(database, [event("other")]);
        const failed = database.write(async (tx) => {
          await insertChanges(tx, [event("failed")], numbers);
          throw new Error("failed");
        });
        await expect(failed).rejects.toThrow("failed");
      },
    },
    {
      name: "of rows that were removed",
      change: async (database: WholeDatabase) => {
        await store(database, [event("other")]);
        await database.write((tx) =>
          tx.run(statement`delete from change_batches where number is not null`),
        );
      },
    },
  ])("have numbers after those $name", async ({ change }) => {
    const database = await open();
    const numbers = new RowNumbers();
    await store(database, [event("first")], numbers);
    await store(database, [event("second")], numbers);
    await change(database, numbers);
    const used = Math.max(await lastNumber(database), 2);
    await store(database, [event("next")], numbers);
    await store(database, [event("last")], numbers);
    const stored = await rows(database);
    expect(stored.slice(-2).map(({ number }) => number > used)).toEqual([true, true]);
    expect(stored.slice(-2).map(({ events }) => /next|last/.exec(events)?.[0])).toEqual([
      "next",
      "last",
    ]);
  });

  test("have numbers after all of a block once the platform starts again", async () => {
    const database = await open();
    await store(database, [event("a")], new RowNumbers());
    const numbers = new RowNumbers();
    await store(database, [event("b")], numbers);
    const last = await lastNumber(database);
    await database.write((tx) =>
      tx.run(raw("delete from change_batches where number is not null")),
    );
    await store(database, [event("c")], new RowNumbers());
    expect(await lastNumber(database)).toBeGreaterThan(last);
  });
});
