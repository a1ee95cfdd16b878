import { expect, test } from "vitest";
import { deferred } from "#lib/time/deferred.ts";

test("a deferred promise settles once, from outside", async () => {
  const [kept, broken] = [deferred<number>(), deferred<number>()];
  kept.resolve(1);
  kept.resolve(2);
  broken.reject(new Error("no"));
  expect(await kept.promise).toBe(1);
  await expect(broken.promise).rejects.toThrow("no");
});
