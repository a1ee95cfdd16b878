import { expect, test } from "vitest";
import { deferred, Interruption } from "#lib/time/deferred.ts";

test("a deferred promise settles once, from outside", async () => {
  const [kept, broken] = [deferred<number>(), deferred<number>()];
  kept.resolve(1);
  kept.resolve(2);
  broken.reject(new Error("no"));
  expect(await kept.promise).toBe(1);
  await expect(broken.promise).rejects.toThrow("no");
});

test("each wait has the result of its work", async () => {
  const interruption = new Interruption();
  expect(await interruption.orFail(Promise.resolve(1))).toBe(1);
  await expect(interruption.orFail(Promise.reject(new Error("lost")))).rejects.toThrow("lost");
  expect(await interruption.orFail(Promise.resolve(2))).toBe(2);
});

test("a failure ends the present wait and all later ones, with the first error", async () => {
  const interruption = new Interruption();
  const waiting = interruption.orFail(new Promise(() => {}));
  interruption.fail(new Error("stopped"));
  interruption.fail(new Error("stopped again"));
  await expect(waiting).rejects.toThrow("stopped");
  await expect(interruption.orFail(new Promise(() => {}))).rejects.toThrow(/^stopped$/);
});

test("results of earlier waits do not stay in memory", async () => {
  const interruption = new Interruption();
  const results: WeakRef<object>[] = [];
  for (let count = 0; count < 100; count += 1) {
    const result = { count };
    results.push(new WeakRef(await interruption.orFail(Promise.resolve(result))));
  }
  // A reference may only be forgotten in a later turn; the stack may have some of them.
  await Bun.sleep(1);
  Bun.gc(true);
  expect(results.filter((result) => result.deref() !== undefined).length).toBeLessThan(50);
});
