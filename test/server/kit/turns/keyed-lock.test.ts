import { expect, test } from "vitest";
import { KeyedLock } from "#server/kit/turns/keyed-lock.ts";

test("runs the work of one key in its order, and that of other keys at the same time", async () => {
  const lock = new KeyedLock();
  const seen: string[] = [];
  const { promise: gate, resolve: open } = Promise.withResolvers<void>();
  const first = lock.run("a", async () => {
    await gate;
    seen.push("first a");
  });
  const second = lock.run("a", async () => {
    seen.push("second a");
  });
  await lock.run("b", async () => {
    seen.push("b");
  });
  open();
  await Promise.all([first, second]);
  expect(seen).toEqual(["b", "first a", "second a"]);
  expect(lock.size).toBe(0);
});

test("a failure rejects its own call only", async () => {
  const lock = new KeyedLock();
  const failed = lock.run("a", async () => {
    throw new Error("no");
  });
  const next = lock.run("a", async () => "yes");
  await expect(failed).rejects.toThrow("no");
  expect(await next).toBe("yes");
});
