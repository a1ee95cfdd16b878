import { expect, onTestFinished, test } from "vitest";
import { LifetimeOwner } from "#server/kit/lifetime.ts";
import { statement } from "#server/database/statement.ts";
import { defaultLimits } from "#server/kit/limits.ts";
import { readChanges } from "#server/work/change-batches.ts";
import { type ChangeListener, confirmEpoch } from "#server/work/change-feed.ts";
import { sweepFeed } from "#server/work/feed-sweep.ts";
import type { Work } from "#server/work/work.ts";
import { describeOnEachDatabase } from "#test/support/databases.ts";
import { testWorks } from "#test/support/work.ts";

const logger = { info: () => {}, warn: () => {}, error: () => {} };

/** Notes the subjects that it receives, and `missed`. */
function noting(): ChangeListener & { readonly subjects: string[] } {
  const subjects: string[] = [];
  return {
    subjects,
    changed: ({ subject }) => void subjects.push(subject),
    missed: () => void subjects.push("missed"),
  };
}

const change = (work: Work, subject: string): Promise<void> =>
  work.write(async (tx) => tx.event("user", subject));

describeOnEachDatabase("the feed of changes", (open) => {
  async function world() {
    const database = await open();
    const writer = testWorks(database);
    const { feed, work } = testWorks(database);
    const lifetime = new LifetimeOwner(logger);
    onTestFinished(() => lifetime.close());
    await feed.begin({ work, logger, lifetime, limits: defaultLimits });
    return { feed, work, writer: writer.work };
  }

  test("delivers what another platform has committed before a call to catch up", async () => {
    const { feed, writer } = await world();
    const listener = noting();
    feed.listen(listener);
    await change(writer, "one");
    await change(writer, "two");
    await feed.catchUp();
    await feed.catchUp();
    expect(listener.subjects).toEqual(["one", "two"]);
  });

  test("looks by itself while a listener follows", async () => {
    const { feed, writer } = await world();
    const { promise, resolve } = Promise.withResolvers<string>();
    const end = feed.follow({ changed: ({ subject }) => resolve(subject), missed: () => {} });
    await change(writer, "one");
    expect(await promise).toBe("one");
    end();
  });

  test("reports that changes may be missed when there are more than a look reads", async () => {
    const { feed, writer } = await world();
    const listener = noting();
    feed.listen(listener);
    await writer.write(async (tx) => {
      for (let at = 0; at < 1_001; at += 1) tx.event("user", "each", `workspace ${at}`);
    });
    await feed.catchUp();
    expect(listener.subjects[0]).toBe("missed");
  });

  test("stores many subjects of a kind as all of them", async () => {
    const { feed, writer } = await world();
    const listener = noting();
    feed.listen(listener);
    await writer.write(async (tx) => {
      for (let at = 0; at < 101; at += 1) tx.event("grant", String(at));
    });
    await feed.catchUp();
    expect(listener.subjects).toEqual(["*"]);
  });

  test("forgets the rows of another server at the start", async () => {
    const { work, writer } = await world();
    if (work.read.dialect === "sqlite") return;
    const { position } = await readChanges(work.read, undefined);
    await change(writer, "here");
    await change(writer, "elsewhere");
    await writer.write((tx) =>
      tx.run(statement`update change_batches set xid = '9000000000000000000'::xid8
        where number = (select max(number) from change_batches)`),
    );
    await writer.write((tx) => confirmEpoch(tx));
    const { batches } = await readChanges(work.read, position);
    expect(batches).toEqual([]);
  });

  test("keeps rows until their time is over", async () => {
    const { work, writer } = await world();
    const { position } = await readChanges(work.read, undefined);
    await change(writer, "old");
    await change(writer, "new");
    const stored = async (): Promise<string[]> =>
      (await readChanges(work.read, position)).batches.flatMap(({ events }) =>
        events.map(({ subject }) => subject),
      );
    await writer.write((tx) =>
      tx.run(statement`update change_batches set at = '2020-01-01T00:00:00.000Z'
        where number = (select min(number) from change_batches)`),
    );
    await sweepFeed(writer, { ...defaultLimits, feedDays: 1 });
    expect(await stored()).toEqual(["new"]);
  });
});
