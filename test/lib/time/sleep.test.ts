import { expect, test } from "vitest";
import { sleep } from "#lib/time/sleep.ts";

test("a sleep ends with its time, or with the reason of its signal", async () => {
  await sleep(1);
  const stop = new AbortController();
  const sleeping = sleep(3_600_000, stop.signal);
  stop.abort(new Error("woken"));
  await expect(sleeping).rejects.toThrow("woken");
  await expect(sleep(3_600_000, stop.signal)).rejects.toThrow("woken");
});
