import { expect, test } from "vitest";
import { Freshness, paceOf, shownPeriodMs } from "#ui/shell/platform/freshness.ts";

function opened(longestMs = Infinity) {
  const facts = { nowMs: 100_000, isLooking: true };
  const attention = { isLooking: () => facts.isLooking, subscribe: () => () => undefined };
  const freshness = new Freshness(
    attention as never,
    () => facts.nowMs,
    () => longestMs,
  );
  const at = (nowMs: number): number | undefined => {
    facts.nowMs = nowMs;
    freshness.check();
    return freshness.oldAtMs();
  };
  return { freshness, at, facts };
}

test("an answer is old after its period and the time of a refresh", () => {
  const { freshness, at, facts } = opened();
  let changes = 0;
  freshness.subscribe(() => (changes += 1));
  const end = freshness.watch(() => 100_000);
  expect([at(106_999), at(107_001), at(109_000)]).toEqual([undefined, 100_000, 100_000]);
  expect(changes).toBe(1);
  facts.isLooking = false;
  expect(at(120_000)).toBe(undefined);
  expect(at(132_001)).toBe(100_000);
  end();
  expect(freshness.oldAtMs()).toBe(undefined);
});

test("an answer has its own limit, and none is live longer than the stream is silent", () => {
  const { freshness, at } = opened();
  freshness.watch(
    () => 100_000,
    () => 60_000,
  );
  expect([at(150_000), at(160_001)]).toEqual([undefined, 100_000]);
  const bounded = opened(20_000);
  bounded.freshness.watch(
    () => 100_000,
    () => 60_000,
  );
  expect(bounded.at(120_001)).toBe(100_000);
});

test("the period is shorter only while the user looks", () => {
  const [looking, away] = [paceOf(true), paceOf(false)];
  expect(looking).toBeLessThan(away);
  expect(shownPeriodMs(looking, 1_000)).toBe(1_000);
  expect(shownPeriodMs(away, 1_000)).toBe(away);
});
