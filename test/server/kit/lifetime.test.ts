import { LifetimeOwner } from "#server/kit/lifetime.ts";
import { afterEach, expect, test, vi } from "vitest";

function ownerAndLog() {
  const logged: unknown[] = [];
  const owner = new LifetimeOwner({
    info: () => {},
    warn: () => {},
    error: (record) => void logged.push(record),
  });
  return { owner, logged };
}

afterEach(() => void vi.useRealTimers());

test("repeated work logs a failure, and runs again", async () => {
  vi.useFakeTimers();
  const { owner, logged } = ownerAndLog();
  const work = vi.fn<() => Promise<void>>().mockRejectedValueOnce(new Error("the disk is full"));
  owner.every(1_000, "cleaning-failed", work);
  await vi.advanceTimersByTimeAsync(2_000);
  expect(work).toHaveBeenCalledTimes(2);
  expect(logged).toEqual([{ event: "cleaning-failed", error: "Error: the disk is full" }]);
});

test("work that takes longer than its interval does not overlap", async () => {
  vi.useFakeTimers();
  const { owner } = ownerAndLog();
  const first = Promise.withResolvers<void>();
  const work = vi.fn<() => Promise<void>>().mockReturnValueOnce(first.promise);
  owner.every(1_000, "cleaning-failed", work);
  await vi.advanceTimersByTimeAsync(3_000);
  expect(work).toHaveBeenCalledTimes(1);
  first.resolve();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(work).toHaveBeenCalledTimes(2);
});

test("a close ends the work, and logs no failure of what it interrupts", async () => {
  vi.useFakeTimers();
  const { owner, logged } = ownerAndLog();
  const cutOff = Promise.withResolvers<void>();
  const work = vi.fn<() => Promise<void>>().mockReturnValue(cutOff.promise);
  owner.every(1_000, "cleaning-failed", work);
  await vi.advanceTimersByTimeAsync(1_000);
  await owner.close();
  cutOff.reject(new Error("the database is closed"));
  await vi.advanceTimersByTimeAsync(5_000);
  expect(work).toHaveBeenCalledTimes(1);
  expect(logged).toEqual([]);
});
