import { expect, onTestFinished, test } from "vitest";
import { LifetimeOwner } from "#server/kit/lifetime.ts";
import { statement } from "#server/database/statement.ts";
import { defaultLimits } from "#server/kit/limits.ts";
import { cacheKinds } from "#server/work/change-event.ts";
import { sweepFeed } from "#server/work/feed-sweep.ts";
import { describeOnEachDatabase } from "#test/support/databases.ts";
import { testWorks } from "#test/support/work.ts";

const logger = { info: () => {}, warn: () => {}, error: () => {} };

describeOnEachDatabase("the sweep of the feed", (open, { engine }) => {
  async function world() {
    const database = await open();
    const { work } = testWorks(database);
    const late = testWorks(database);
    const lifetime = new LifetimeOwner(logger);
    onTestFinished(() => lifetime.close());
    await late.feed.begin({ work: late.work, logger, lifetime, limits: defaultLimits });
    const reported: string[] = [];
    late.feed.listen({
      changed: ({ kind, subject, workspaceId }) =>
        reported.push(`${workspaceId} ${kind} ${subject}`),
      missed: () => reported.push("missed"),
    });
    const add = (workspaceId: string, subjects: readonly string[]): Promise<void> =>
      subjects.reduce(
        (before, subject) =>
          before.then(() => work.write(async (tx) => tx.event("member", subject, workspaceId))),
        Promise.resolve(),
      );
    const kept = async (workspaceId: string) => {
      const rows = await database.read.all<{ number: number; bytes: number }>(
        statement`select number, bytes from change_batches
          where workspace_id = ${workspaceId} order by number`,
      );
      return rows.map(({ bytes }) => Number(bytes));
    };
    return { database, work, late, reported, add, kept };
  }

  const sum = (sizes: readonly number[]): number => sizes.reduce((all, size) => all + size, 0);

  test("reports all that is cached of a workspace to platforms that have not read", async () => {
    const { work, late, reported, add, kept } = await world();
    const newest = "x".repeat(200);
    for (const workspaceId of ["*", "one", "two"]) await add(workspaceId, ["removed", newest]);
    await sweepFeed(work, { ...defaultLimits, feedBytes: 250 });
    await late.feed.catchUp();
    const own = ["*", "one", "two"].map((id) => `${id} member ${newest}`);
    const ofAll = [
      ...cacheKinds.map((kind) => `* ${kind} *`),
      ...["one", "two"].flatMap((id) => [`* workspace ${id}`, `* object-type ${id}`]),
    ];
    // One process has a file of SQLite: its caches have each change with the commit.
    const wanted = engine === "sqlite" ? own : [...own, ...ofAll];
    expect(reported.toSorted()).toEqual(wanted.toSorted());
    // Readers of the workspace have no change that nothing has made.
    expect(await kept("one")).toHaveLength(1);
  });

  test("reports once, however many transactions it takes", async () => {
    const { database, work, late, reported, add, kept } = await world();
    await add("one", ["first"]);
    const copies = statement`with recursive numbers (number) as
      (select 1 union all select number + 1 from numbers where number < 2500)`;
    await database.write((tx) =>
      tx.run(statement`insert into change_batches (workspace_id, at, events, for_caches, bytes)
        ${copies} select workspace_id, at, events, for_caches, bytes
        from change_batches cross join numbers where workspace_id = 'one'`),
    );
    await sweepFeed(work, { ...defaultLimits, feedBytes: 100 });
    await late.feed.catchUp();
    expect((await kept("one")).length).toBeLessThan(5);
    const ofOne = reported.filter((each) => each.startsWith("* "));
    expect(ofOne).toEqual(engine === "sqlite" ? [] : ["* workspace one", "* object-type one"]);
  });

  test("of several platforms at once keeps what one keeps", async () => {
    const { work, late, add, kept } = await world();
    const subjects = Array.from({ length: 40 }, (_, at) => `s${at}${"-".repeat(at)}`);
    await add("one", subjects);
    const before = await kept("one");
    const feedBytes = Math.round(sum(before) / 2);
    const limits = { ...defaultLimits, feedBytes };
    await Promise.all([work, late.work, work].map((each) => sweepFeed(each, limits)));
    await sweepFeed(late.work, limits);
    const after = await kept("one");
    expect(after).toEqual(before.slice(-after.length));
    expect(sum(after)).toBeLessThanOrEqual(feedBytes);
    // One more row would have been too much.
    expect(sum(before.slice(-after.length - 1))).toBeGreaterThan(feedBytes);
  });
});
