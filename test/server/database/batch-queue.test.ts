import { expect, test } from "vitest";
import { BatchQueue } from "#server/database/batch-queue.ts";

const tick = () => new Promise<void>((resolve) => setImmediate(resolve));

async function ticks(count: number): Promise<void> {
  for (let index = 0; index < count; index += 1) await tick();
}

test("items that come while as many batches run as may are the next batch", async () => {
  const sizes: number[] = [];
  const ends: (() => void)[] = [];
  const queue = new BatchQueue<number, void>({
    async work(batch) {
      sizes.push(batch.length);
      await new Promise<void>((resolve) => ends.push(resolve));
      for (const { resolve } of batch) resolve();
    },
    batchesAtOnce: 2,
    itemsAtOnce: 100,
    queueLimit: 1_000,
  });
  const done: Promise<void>[] = [];
  const add = async (count: number): Promise<void> => {
    for (let item = 0; item < count; item += 1) done.push(queue.add(item));
    await ticks(3);
  };
  await add(5);
  await add(1);
  await add(2);
  await add(3);
  expect(sizes).toEqual([5, 1]);
  ends.shift()?.();
  await ticks(3);
  expect(sizes).toEqual([5, 1, 5]);
  for (const end of ends) end();
  await Promise.all(done);
});

test("while each tick brings more items, they are waited for, up to a limit", async () => {
  const sizes: number[] = [];
  const queue = (limitMs: number) =>
    new BatchQueue<number, void>({
      async work(batch) {
        sizes.push(batch.length);
        for (const { resolve } of batch) resolve();
      },
      batchesAtOnce: 2,
      itemsAtOnce: 8,
      untilQuietMs: limitMs,
      queueLimit: 1_000,
    });
  const patient = queue(60_000);
  const alone = patient.add(0);
  await ticks(1);
  expect(sizes).toEqual([1]);
  await alone;

  const done: Promise<void>[] = [];
  for (let item = 0; item < 5; item += 1) {
    done.push(patient.add(item), patient.add(item));
    await tick();
  }
  await ticks(3);
  // One full batch at once, and one of the rest after a tick without items.
  expect(sizes).toEqual([1, 8, 2]);

  const hasty = queue(0);
  for (let item = 0; item < 3; item += 1) {
    done.push(hasty.add(item), hasty.add(item));
    await ticks(2);
  }
  expect(sizes).toEqual([1, 8, 2, 2, 2, 2]);
  await Promise.all(done);
});

test("a batch has items of one group, and each group has its own queue", async () => {
  const batches: string[][] = [];
  const ends: (() => void)[] = [];
  const queue = new BatchQueue<string, string>({
    groupOf: (item) => item.slice(0, 1),
    async work(batch, first) {
      expect(first).toBe(batch[0]?.item);
      batches.push(batch.map(({ item }) => item));
      await new Promise<void>((resolve) => ends.push(resolve));
      for (const { item, resolve } of batch) resolve(`${item}!`);
    },
    batchesAtOnce: 1,
    itemsAtOnce: 8,
    queueLimit: 2,
  });
  const done = ["a1", "b1", "a2"].map((item) => queue.add(item));
  await expect(queue.add("a3")).rejects.toThrow("2 are waiting already");
  await ticks(3);
  done.push(queue.add("a4"));
  await ticks(3);
  expect(batches).toEqual([["a1", "a2"], ["b1"]]);
  ends.shift()?.();
  await ticks(3);
  expect(batches.at(-1)).toEqual(["a4"]);
  for (const end of ends) end();
  expect(await Promise.all(done)).toEqual(["a1!", "b1!", "a2!", "a4!"]);
});

test("shares have turns: one item does not wait for a hundred of another share", async () => {
  const done: string[] = [];
  const queue = new BatchQueue<string, void>({
    shareOf: (item) => item.slice(0, 1),
    batchesAtOnce: 1,
    itemsAtOnce: 4,
    queueLimit: 1_000,
    async work(batch) {
      for (const { item, resolve } of batch) {
        done.push(item);
        resolve();
      }
    },
  });
  const loud = Array.from({ length: 100 }, (_, at) => queue.add(`a${at}`));
  await queue.add("b0");
  expect(done.slice(0, 4)).toEqual(["a0", "b0", "a1", "a2"]);
  await Promise.all(loud);
  expect(done).toHaveLength(101);
});
