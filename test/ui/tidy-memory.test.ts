import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { MemoryTidying } from "#ui/tidy-memory.ts";

describe("the collection of garbage", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  function tidying() {
    const collected: number[] = [];
    const recent: number[] = [];
    const startedAt = Date.now();
    const memory = new MemoryTidying({
      collect: () => collected.push(Date.now() - startedAt),
      collectRecent: () => recent.push(Date.now() - startedAt),
      now: Date.now,
    });
    return { memory, collected, recent };
  }

  it("follows the last key in a pause, and an idle screen runs nothing", () => {
    const { memory, collected } = tidying();
    vi.advanceTimersByTime(5_000);
    memory.onInput();
    vi.advanceTimersByTime(50);
    expect(collected).toEqual([]);
    vi.advanceTimersByTime(60_000);
    expect(collected).toHaveLength(1);
    expect(vi.getTimerCount()).toBe(0);
  });

  it("comes also while keys are held, but not with each of them", () => {
    const { memory, collected, recent } = tidying();
    for (let key = 0; key < 200; key += 1) {
      memory.onInput();
      vi.advanceTimersByTime(30);
    }
    expect(collected.length).toBeGreaterThanOrEqual(2);
    expect(collected.length).toBeLessThanOrEqual(4);
    expect(recent.length).toBeGreaterThanOrEqual(30);
    expect(recent.length).toBeLessThanOrEqual(60);
  });

  it("ends with the screen", () => {
    const { memory, collected } = tidying();
    memory.onInput();
    memory.end();
    vi.advanceTimersByTime(60_000);
    expect(collected).toEqual([]);
  });
});
