import { expect, test } from "vitest";
import { PatternTests } from "#server/domains/records/write/pattern-tests.ts";

test("each part of a long pattern test leaves a tick to other requests", async () => {
  const tests = new PatternTests("workspace");
  function* parts(): Generator<undefined, boolean, undefined> {
    for (let count = 0; count < 20; count += 1) yield undefined;
    return false;
  }
  let isRefused = false;
  tests.budget.later?.push({ parts: parts(), fail: () => void (isRefused = true) });
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
