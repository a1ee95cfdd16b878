import { expect, test } from "vitest";
import { pause } from "#client/watch/pause.ts";

test("a pause lasts at least half of its time, and ends with its signal", async () => {
  const beganMs = performance.now();
  await pause(20, undefined);
  expect(performance.now() - beganMs).toBeGreaterThan(9);
  const stop = new AbortController();
  const waiting = pause(3_600_000, stop.signal);
  stop.abort(new Error("stopped"));
  await expect(waiting).rejects.toThrow("stopped");
  await expect(pause(3_600_000, stop.signal)).rejects.toThrow("stopped");
});
