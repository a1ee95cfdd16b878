import { expect, it } from "vitest";
import { UploadQueue } from "#ui/documents/uploads/upload-queue.ts";

it("runs so many at once, one alone before those that wait, and drops what waits", async () => {
  const ends = new Map<string, () => void>();
  const begun: string[] = [];
  const queue = new UploadQueue<string>((order) => {
    begun.push(order);
    return new Promise((resolve) => {
      ends.set(order, resolve);
    });
  }, 2);
  queue.add(["a", "b", "c", "d"]);
  queue.add(["alone"]);
  expect(begun).toEqual(["a", "b"]);
  expect(queue.count.get()).toBe(3);
  ends.get("a")?.();
  await expect.poll(() => begun).toEqual(["a", "b", "alone"]);
  expect(queue.drop()).toEqual(["c", "d"]);
  ends.get("b")?.();
  ends.get("alone")?.();
  await expect.poll(() => queue.count.get()).toBe(0);
  expect(begun).toHaveLength(3);
});
