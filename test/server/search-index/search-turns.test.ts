import { expect, test, vi } from "vitest";
import { OverloadedError } from "#server/kit/storage-errors.ts";
import { SearchTurns } from "#server/search-index/search-turns.ts";

test("searches of 60 callers of one workspace are answered, and those of another are not last", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "performance"] });
  try {
    const turns = new SearchTurns();
    const { signal } = new AbortController();
    const found: string[] = [];
    const limits: number[] = [];
    const search = (workspace: string, caller: string): Promise<void> =>
      turns.run(
        async (timeLimitMs) => {
          limits.push(timeLimitMs);
          await new Promise((resolve) => setTimeout(resolve, 250));
          found.push(workspace);
        },
        workspace,
        signal,
        caller,
      );
    const all = Array.from({ length: 60 }, (_, at) => search("busy", `caller ${at}`));
    all.push(search("other", "caller"));
    const ended = Promise.allSettled(all);
    await vi.advanceTimersByTimeAsync(8_000);
    const refused = (await ended).filter(({ status }) => status === "rejected");
    expect(refused).toEqual([]);
    expect(found.indexOf("other")).toBeLessThan(4);
    // A search that has waited still has several seconds, before its connection counts as silent.
    expect(Math.min(...limits)).toBeGreaterThan(6_000);
    expect(Math.max(...limits)).toBe(10_000);
  } finally {
    vi.useRealTimers();
  }
});

test("a caller's line is bounded", async () => {
  const turns = new SearchTurns();
  const gone = new AbortController();
  const search = (): Promise<unknown> =>
    turns.run(() => new Promise(() => {}), "w", gone.signal, "loud");
  const waiting = Array.from({ length: 2 + 125 }, search);
  await expect(search()).rejects.toThrow(OverloadedError);
  gone.abort();
  await Promise.allSettled(waiting.slice(2));
});
