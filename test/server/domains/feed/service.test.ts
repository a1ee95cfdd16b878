import { expect, onTestFinished, test } from "vitest";
import { statement } from "#server/database/statement.ts";
import type { Database } from "#server/database/database.ts";
import { Feed, type FeedPosition } from "#server/domains/feed/service.ts";
import { Secrets } from "#server/domains/secrets/service.ts";
import { LifetimeOwner } from "#server/kit/lifetime.ts";
import { defaultLimits } from "#server/kit/limits.ts";
import { confirmEpoch } from "#server/work/change-feed.ts";
import { sweepFeed } from "#server/work/feed-sweep.ts";
import type { Work } from "#server/work/work.ts";
import { describeInTurn } from "#test/support/databases.ts";
import { testWorks } from "#test/support/work.ts";

const logger = { info: () => {}, warn: () => {}, error: () => {} };
const workspace = "one";

const change = (work: Work, subject: string, workspaceId = workspace): Promise<void> =>
  work.write(async (tx) => tx.event("record", subject, workspaceId, { op: "created" }));

describeInTurn("the feed of a workspace", (open, { engine }) => {
  async function feedOf(database: Database) {
    const { feed: changes, work } = testWorks(database);
    const lifetime = new LifetimeOwner(logger);
    onTestFinished(() => lifetime.close());
    await changes.begin({ work, logger, lifetime, limits: defaultLimits });
    const feed = new Feed({
      feed: changes,
      work,
      logger,
      lifetime,
      secrets: new Secrets(new Uint8Array(32)),
      objectTypes: { find: () => undefined },
    });
    return { feed, work };
  }

  /** Reads pages until the end; the subjects, or the reason of a reset. */
  async function rest(feed: Feed, work: Work, from: FeedPosition, limit = 100) {
    const subjects: string[] = [];
    for (let position = from; ;) {
      const page = await feed.read(work, workspace, position, limit);
      if (page.reset !== undefined) return { subjects: [page.reset], next: page.next };
      subjects.push(...page.events.map(({ subject }) => subject));
      position = page.next;
      if (page.isWhole) return { subjects, next: position };
    }
  }

  test("ends a page with the row that makes it large, so that readers hold little", async () => {
    const { feed, work } = await feedOf(await open());
    const from = await feed.position(work, workspace);
    const after = { note: "n".repeat(200 * 1024) };
    for (const subject of ["a", "b", "c"]) {
      await work.write(async (tx) =>
        tx.event("record", subject, workspace, { op: "created", after }),
      );
    }
    const page = await feed.read(work, workspace, from, 100);
    if (page.reset !== undefined) throw new Error(page.reset);
    expect(page.events.map(({ subject }) => subject)).toEqual(["a", "b"]);
    expect(page.isWhole).toBe(false);
    expect((await rest(feed, work, from)).subjects).toEqual(["a", "b", "c"]);
  });

  test("has each change of the workspace after a position, in pages, with a stable id", async () => {
    const { feed, work } = await feedOf(await open());
    await change(work, "before");
    const from = await feed.position(work, workspace);
    for (const subject of ["a", "b", "c", "d", "e"]) await change(work, subject);
    await change(work, "elsewhere", "two");
    const { subjects, next } = await rest(feed, work, from, 2);
    expect(subjects).toEqual(["a", "b", "c", "d", "e"]);
    await change(work, "f");
    expect((await rest(feed, work, next)).subjects).toEqual(["f"]);
    const ids = async () => {
      const page = await feed.read(work, workspace, from, 100);
      return page.reset === undefined ? page.events.map(({ id }) => id) : [];
    };
    expect(new Set(await ids()).size).toBe(6);
    expect(await ids()).toEqual(await ids());
  });

  test("continues after each event of a transaction with several", async () => {
    const { feed, work } = await feedOf(await open());
    const from = await feed.position(work, workspace);
    await work.write(async (tx) => {
      for (const subject of ["a", "b", "c"]) tx.event("record", subject, workspace);
    });
    await change(work, "d");
    const page = await feed.read(work, workspace, from, 100);
    const events = page.reset === undefined ? page.events : [];
    const after = await Promise.all(
      events.map(async ({ position }) => (await rest(feed, work, position)).subjects.join("")),
    );
    expect(after).toEqual(["bcd", "cd", "d", ""]);
  });

  test("does not wait for a transaction that stays open, and has its changes later", async () => {
    if (engine === "sqlite") return;
    const { feed, work } = await feedOf(await open());
    const from = await feed.position(work, workspace);
    const written = Promise.withResolvers<void>();
    const released = Promise.withResolvers<void>();
    const slow = work.write(async (tx) => {
      await tx.run(statement`insert into change_batches (workspace_id, at, events)
        values (${workspace}, '2030-01-01T00:00:00.000Z', '[{"kind":"record","subject":"slow"}]')`);
      written.resolve();
      await released.promise;
    });
    await written.promise;
    await change(work, "quick");
    const first = await rest(feed, work, from);
    expect(first.subjects).toEqual(["quick"]);
    await change(work, "next");
    const second = await rest(feed, work, first.next);
    expect(second.subjects).toEqual(["next"]);
    released.resolve();
    await slow;
    expect((await rest(feed, work, second.next)).subjects).toEqual(["slow"]);
    expect((await rest(feed, work, from, 1)).subjects.toSorted()).toEqual([
      "next",
      "quick",
      "slow",
    ]);
  });

  test("ends after the newest transaction, whose number may have more digits", async () => {
    if (engine === "sqlite") return;
    const { feed, work } = await feedOf(await open());
    await change(work, "old");
    await work.write((tx) =>
      tx.run(statement`update change_batches set xid = '9'::xid8
      where workspace_id = ${workspace}`),
    );
    const from = await feed.position(work, workspace);
    await change(work, "new");
    const { subjects, next } = await rest(feed, work, from);
    expect(subjects).toEqual(["new"]);
    expect((await rest(feed, work, next)).subjects).toEqual([]);
    expect((await rest(feed, work, await feed.position(work, workspace))).subjects).toEqual([]);
  });

  test("wakes a reader with the commit of this platform and of another one", async () => {
    const database = await open();
    const { feed, work } = await feedOf(database);
    const wakes: string[] = [];
    const wait = () =>
      new Promise<void>((resolve) => {
        const end = feed.wake(workspace, () => {
          end();
          wakes.push("woken");
          resolve();
        });
      });
    const own = wait();
    await change(work, "own");
    await own;
    if (engine === "postgresql") {
      const other = wait();
      await change(testWorks(database).work, "other");
      await other;
    }
    expect(wakes).toHaveLength(engine === "postgresql" ? 2 : 1);
  });

  test("resets a reader whose changes were removed, by their age or their bytes", async () => {
    const { feed, work } = await feedOf(await open());
    const from = await feed.position(work, workspace);
    for (const subject of ["a", "b", "c"]) await change(work, subject);
    let current = await feed.position(work, workspace);
    // A transaction of another database of the cluster may run, and would count as removed.
    while (engine === "postgresql" && !current.endsWith(":")) {
      await Bun.sleep(5);
      current = await feed.position(work, workspace);
    }
    await sweepFeed(work, { feedDays: 1, feedBytes: 100 });
    expect((await rest(feed, work, from)).subjects).toEqual(["pruned"]);
    expect((await rest(feed, work, current)).subjects).toEqual([]);
    const { next } = await rest(feed, work, from);
    await change(work, "d");
    await work.write((tx) =>
      tx.run(statement`update change_batches set at = '2020-01-01T00:00:00.000Z'
        where number is not null`),
    );
    await sweepFeed(work, defaultLimits);
    expect((await rest(feed, work, next)).subjects).toEqual(["pruned"]);
  });

  test("resets a reader of another epoch, and one of a database that has lost changes", async () => {
    const { feed, work } = await feedOf(await open());
    const before = await feed.position(work, workspace);
    const future = before.replace(/^(\w+)~.*/, engine === "sqlite" ? "$1~999" : "$1~0~zzz:zzz:");
    expect((await rest(feed, work, future)).subjects).toEqual(["epoch"]);
    await work.write(async (tx) => {
      await tx.run(statement`update feed_epochs set system = 'another' where name = 'current'`);
      await confirmEpoch(tx);
    });
    expect((await rest(feed, work, before)).subjects).toEqual(["epoch"]);
    expect((await rest(feed, work, await feed.position(work, workspace))).subjects).toEqual([]);
  });

  test("refuses a cursor that is forged or of another workspace", async () => {
    const { feed, work } = await feedOf(await open());
    const position = await feed.position(work, workspace);
    const cursor = feed.cursors.write(workspace, position);
    expect(await feed.positionOf(work, workspace, cursor)).toBe(position);
    const refused = async (workspaceId: string, text: string): Promise<unknown> =>
      Promise.try(() => feed.positionOf(work, workspaceId, text)).catch((error: unknown) => error);
    for (const answer of [
      await refused("two", cursor),
      await refused(workspace, `${cursor.slice(0, -1)}${cursor.endsWith("A") ? "B" : "A"}`),
      await refused(workspace, "nonsense"),
    ]) {
      expect(answer).toMatchObject({
        code: "feed-reset",
        status: 410,
        options: { members: { reason: "unknown-cursor", cursor: expect.any(String) } },
      });
    }
  });
});
