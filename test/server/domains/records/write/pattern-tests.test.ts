import { expect, test } from "vitest";
import type { Stepwise } from "#lib/time/stepwise.ts";
import { PatternTests } from "#server/domains/records/write/pattern-tests.ts";

test("each part of a long pattern test leaves a tick to other requests", async () => {
  const tests = new PatternTests("workspace");
  let isRefused = false;
  function* parts(): Stepwise<void> {
    for (let count = 0; count < 20; count += 1) {
      // A part is longer than the share of a tick.
      Bun.sleepSync(2);
      yield undefined;
    }
    isRefused = true;
  }
  tests.budget.later?.push(parts());
  let ticks = 0;
  let isOver = false;
  const tick = (): void => {
    ticks += 1;
    if (!isOver) setImmediate(tick);
  };
  setImmediate(tick);
  await tests.run();
  isOver = true;
  expect(isRefused).toBe(true);
  expect(ticks).toBeGreaterThanOrEqual(20);
});
