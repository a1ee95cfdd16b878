import { expect, test } from "vitest";
import { FairQueue } from "#server/kit/turns/fair-queue.ts";

/** Takes everything; each item costs what `costOf` says. */
function order(queue: FairQueue<string>, costOf: (item: string) => number = () => 1): string[] {
  const taken: string[] = [];
  for (let next = queue.take(); next !== undefined; next = queue.take()) {
    taken.push(next.item);
    queue.charge(next, costOf(next.item));
  }
  return taken;
}

test("shares have turns, and so have the callers of a share, each in its own order", () => {
  const queue = new FairQueue<string>();
  for (const item of ["a1", "a2", "a3"]) queue.add(item, "a", "loud");
  queue.add("a4", "a", "quiet");
  for (const item of ["b1", "b2"]) queue.add(item, "b");
  expect(order(queue)).toEqual(["a1", "b1", "a4", "b2", "a2", "a3"]);
  expect(queue.size).toBe(0);
});

test("a share whose work costs five turns misses four of them", () => {
  const queue = new FairQueue<string>();
  for (const item of ["heavy1", "heavy2", "heavy3"]) queue.add(item, "heavy");
  for (let at = 1; at <= 10; at += 1) queue.add(`light${at}`, "light");
  const taken = order(queue, (item) => (item.startsWith("heavy") ? 5 : 1));
  expect(taken.indexOf("heavy2")).toBe(6);
  expect(taken.indexOf("heavy3")).toBe(12);
});

test("light work of one share has several items in a turn", () => {
  const queue = new FairQueue<string>();
  for (const item of ["a1", "a2", "a3", "a4"]) queue.add(item, "a");
  for (const item of ["b1", "b2"]) queue.add(item, "b");
  expect(order(queue, () => 0.5)).toEqual(["a1", "a2", "b1", "b2", "a3", "a4"]);
});

test("an item that leaves has no turn, and a share that may not has none", () => {
  const queue = new FairQueue<string>();
  const left = queue.add("a1", "a", "x");
  queue.add("a2", "a", "x");
  queue.add("b1", "b");
  expect(queue.remove(left)).toBe(true);
  expect(queue.remove(left)).toBe(false);
  expect([queue.size, queue.sizeOf("a"), queue.sizeOfCaller("a", "x")]).toEqual([2, 1, 1]);
  expect(queue.take((share) => share === "b")?.item).toBe("b1");
  expect(queue.take((share) => share === "b")).toBeUndefined();
  expect(queue.drain()).toEqual(["a2"]);
});
