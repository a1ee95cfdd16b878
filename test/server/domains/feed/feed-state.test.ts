import { SQL } from "bun";
import { expect, onTestFinished, test } from "vitest";
import { FeedState } from "#server/domains/feed/feed-state.ts";
import { eventually } from "#test/support/eventually.ts";
import { describePlatform } from "#test/support/platform.ts";

describePlatform("the state of the feed", (the) => {
  const state = () =>
    new FeedState(the().platform.platformWork("the state in a test"), () => new Date());

  test("has the bytes and the floor of what is kept", async () => {
    const work = the().platform.platformWork("a change in a test");
    const { tenant } = the().workspaces;
    const before = await state().retained();
    await work.write(async (tx) => tx.event("record", "a", tenant, { op: "created" }));
    const { bytes, oldestAt } = await state().retained();
    expect(bytes).toBeGreaterThan(before.bytes);
    expect(Date.parse(oldestAt ?? "")).not.toBeNaN();
  });

  test("names a transaction that is open and has written, which only PostgreSQL has", async () => {
    if (the().engine === "sqlite") {
      expect(await state().openTransaction()).toBeUndefined();
      return;
    }
    const sql = new SQL(the().databaseUrl, { max: 1 });
    onTestFinished(() => sql.close());
    const session = await sql.reserve();
    await session`begin`;
    await session`select pg_current_xact_id()`;
    // A later commit comes before the open transaction, whose changes are then late.
    const work = the().platform.platformWork("a change in a test");
    const { tenant } = the().workspaces;
    await work.write(async (tx) => tx.event("record", "b", tenant, { op: "created" }));
    const looking = state();
    // An older transaction of another test may end between two looks.
    await eventually(async () => {
      const open = await looking.openTransaction();
      expect(Date.parse(open?.seenAt ?? "")).not.toBeNaN();
      const later = await looking.openTransaction();
      expect(later?.seenAt).toBe(open?.seenAt);
      expect(later?.seconds).toBeGreaterThanOrEqual(open?.seconds ?? Infinity);
      expect(await looking.warning()).toBeUndefined();
    });
    await session`rollback`;
    await session.release();
  });
});
