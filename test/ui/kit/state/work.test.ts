import { expect, test } from "vitest";
import { trackWork, workEnded } from "#ui/kit/state/work.ts";

test("the end waits for tracked work, also for one that fails", async () => {
  const ends = Promise.withResolvers<void>();
  const fails = Promise.withResolvers<void>();
  void trackWork(ends.promise);
  trackWork(fails.promise).catch(() => undefined);
  let hasEnded = false;
  const end = workEnded().then(() => (hasEnded = true));
  fails.reject(new Error("disk"));
  await Bun.sleep(1);
  expect(hasEnded).toBe(false);
  ends.resolve();
  await end;
  await workEnded();
});
