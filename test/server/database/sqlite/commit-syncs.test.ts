import { expect, test } from "vitest";
import { CommitSyncs } from "#server/database/sqlite/commit-syncs.ts";

/** Syncs that the test ends, and the answers in their order. */
function opened() {
  const ends: ((error?: Error) => void)[] = [];
  const answers: string[] = [];
  const sync = (): Promise<void> =>
    new Promise((resolve, reject) => {
      ends.push((error) => (error === undefined ? resolve() : reject(error)));
    });
  const syncs = new CommitSyncs(sync, () => answers.push("room"));
  const add = (name: string, hasWritten = true): void =>
    syncs.add({
      hasWritten,
      answer: (error) =>
        answers.push(
          error === undefined ? name : `${name}: ${error instanceof Error ? error.message : "?"}`,
        ),
    });
  return { syncs, ends, answers, add };
}

test("a batch is answered after its sync, and one sync serves those that wait", async () => {
  const { syncs, ends, answers, add } = opened();
  add("a");
  expect([syncs.isRunning, syncs.isFull]).toEqual([true, false]);
  add("b");
  add("c");
  expect(syncs.isFull).toBe(true);
  expect(answers).toEqual([]);
  ends[0]?.();
  await Bun.sleep(0);
  expect(answers).toEqual(["a", "room"]);
  ends[1]?.();
  await syncs.idle();
  expect(answers).toEqual(["a", "room", "b", "c", "room"]);
  expect(ends).toHaveLength(2);
});

test("a batch that only read needs no sync", async () => {
  const { syncs, ends, answers, add } = opened();
  add("read", false);
  await syncs.idle();
  expect([ends.length, answers]).toEqual([0, ["read", "room"]]);
});

test("a failed sync is final", async () => {
  const { syncs, ends, answers, add } = opened();
  add("a");
  ends[0]?.(new Error("disk"));
  await syncs.idle();
  add("b");
  await syncs.idle();
  expect(answers).toEqual(["a: disk", "room", "b: disk", "room"]);
  expect(ends).toHaveLength(1);
});
