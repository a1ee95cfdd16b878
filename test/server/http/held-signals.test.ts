import { expect, test } from "vitest";
import { HeldSignals } from "#server/http/held-signals.ts";

test("a drain aborts running requests, and those that come later", () => {
  const drain = new AbortController();
  const held = new HeldSignals({ draining: drain.signal, spreadMs: () => 0 });
  const [running, done, late] = [1, 2, 3].map(() => new AbortController());
  held.add(running as AbortController);
  held.add(done as AbortController);
  expect(held.delete(done as AbortController)).toBe(true);
  drain.abort();
  held.add(late as AbortController);
  expect([running, done, late].map((each) => each?.signal.aborted)).toEqual([true, false, true]);
  expect(running?.signal.reason).toMatchObject({ code: "draining" });
  expect(held.size).toBe(0);
});
