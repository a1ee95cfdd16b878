import { expect, test } from "vitest";
import { LaneTurns } from "#server/domains/webhooks/lanes/lane-turns.ts";
import type { LaneName } from "#server/domains/webhooks/lanes/room.ts";

/** Begins five pieces of work of a lane; returns how many run at the same time. */
async function atOnce(turns: LaneTurns, lane: LaneName): Promise<number> {
  const ends = Promise.withResolvers<void>();
  let begun = 0;
  const all = Array.from({ length: 5 }, () =>
    turns.run(lane, async () => {
      begun += 1;
      await ends.promise;
    }),
  );
  await Bun.sleep(0);
  const running = begun;
  ends.resolve();
  await Promise.all(all);
  expect(begun).toBe(5);
  return running;
}

test("on PostgreSQL endpoints that do not answer leave connections to the others", async () => {
  const turns = new LaneTurns("postgresql");
  expect(await atOnce(turns, "unsound")).toBe(2);
  expect(await atOnce(turns, "sound")).toBe(5);
});

test("on SQLite transactions of both lanes share commits", async () => {
  expect(await atOnce(new LaneTurns("sqlite"), "unsound")).toBe(5);
});
