import { describe, expect, it } from "vitest";
import { Attention } from "#ui/shell/platform/attention.ts";
import { Freshness, shownPeriodMs } from "#ui/shell/platform/freshness.ts";

describe("attention", () => {
  it("is what the terminal's focus reports", () => {
    const attention = new Attention(() => 0);
    let changes = 0;
    attention.subscribe(() => (changes += 1));
    attention.read("\x1b[O");
    expect(attention.isLooking()).toBe(false);
    attention.read("\x1b[O\x1b[I");
    expect(attention.isLooking()).toBe(true);
    attention.read("j\x1b[I");
    expect(changes).toBe(2);
  });

  it("without reports lasts a minute after a key", () => {
    let nowMs = 0;
    const attention = new Attention(() => nowMs);
    expect(attention.isLooking()).toBe(true);
    nowMs = 61_000;
    attention.check();
    expect(attention.isLooking()).toBe(false);
    attention.read("j");
    expect(attention.isLooking()).toBe(true);
    nowMs = 122_000;
    attention.check();
    expect(attention.isLooking()).toBe(false);
  });

  it("returns with a key where the report of the focus was lost", () => {
    const attention = new Attention(() => 0);
    attention.read("\x1b[O");
    attention.read("k");
    expect(attention.isLooking()).toBe(true);
  });

  it("sets the period of refreshes", () => {
    expect(shownPeriodMs(5_000)).toBe(5_000);
    expect(shownPeriodMs(5_000, 1_500)).toBe(1_500);
    expect(shownPeriodMs(5_000, 60_000)).toBe(5_000);
    expect(shownPeriodMs(30_000, 1_500)).toBe(30_000);
  });
});

describe("freshness", () => {
  it("ends when the oldest visible answer is older than its period and the time of an answer", () => {
    let nowMs = 100_000;
    const freshness = new Freshness(new Attention(() => 0), () => nowMs);
    const shown: (number | undefined)[] = [];
    freshness.subscribe(() => shown.push(freshness.oldAtMs()));
    const answeredAtMs = { list: nowMs, counts: nowMs, first: undefined };
    for (const name of ["list", "counts", "first"] as const) {
      freshness.watch(() => answeredAtMs[name]);
    }
    nowMs += 6_900;
    answeredAtMs.list = nowMs;
    freshness.check();
    expect(freshness.oldAtMs()).toBeUndefined();
    for (const passedMs of [200, 2_000, 1_500, 60_000]) {
      nowMs += passedMs;
      freshness.check();
    }
    answeredAtMs.counts = answeredAtMs.list = nowMs;
    freshness.check();
    // The time of the oldest answer is drawn once, however long nothing newer comes.
    expect(shown).toEqual([100_000, undefined]);
  });

  it("gives a newly shown answer the time of a refresh", () => {
    let nowMs = 100_000;
    const freshness = new Freshness(new Attention(() => 0), () => nowMs);
    const leave = freshness.watch(() => 10_000);
    expect(freshness.oldAtMs()).toBeUndefined();
    nowMs += 2_000;
    freshness.check();
    expect(freshness.oldAtMs()).toBe(10_000);
    leave();
    expect(freshness.oldAtMs()).toBeUndefined();
  });

  it("ends 20 s after the last confirmation while a stream of changes is silent", () => {
    let nowMs = 100_000;
    let longestMs = Infinity;
    const attention = new Attention(() => 0);
    const freshness = new Freshness(
      attention,
      () => nowMs,
      () => longestMs,
    );
    attention.read("\x1b[O");
    freshness.watch(() => 100_000);
    nowMs += 21_000;
    freshness.check();
    expect(freshness.oldAtMs()).toBeUndefined();
    longestMs = 20_000;
    freshness.check();
    expect(freshness.oldAtMs()).toBe(100_000);
  });

  it("has a longer period while the user looks elsewhere", () => {
    let nowMs = 100_000;
    const attention = new Attention(() => 0);
    const freshness = new Freshness(attention, () => nowMs);
    attention.read("\x1b[O");
    freshness.watch(() => 100_000);
    nowMs += 31_900;
    freshness.check();
    expect(freshness.oldAtMs()).toBeUndefined();
    // The refresh at the user's return has the time of an answer.
    attention.read("\x1b[I");
    expect(freshness.oldAtMs()).toBeUndefined();
    nowMs += 2_000;
    freshness.check();
    expect(freshness.oldAtMs()).toBe(100_000);
  });
});
