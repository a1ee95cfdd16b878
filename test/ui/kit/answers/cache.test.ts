import { describe, expect, it, onTestFinished, vi } from "vitest";
import { AnswerCache } from "#ui/kit/answers/cache.ts";

describe("AnswerCache", () => {
  it("keeps an answer and shows it while asking again", async () => {
    const cache = new AnswerCache(() => 1_000);
    await cache.ask("a", () => Promise.resolve({ n: 1 }));
    expect(cache.read("a")).toMatchObject({ value: { n: 1 }, answeredAtMs: 1_000 });
    const asking = cache.ask("a", () => Promise.resolve({ n: 2 }));
    expect(cache.read("a")).toMatchObject({ value: { n: 1 } });
    await asking;
    expect(cache.read("a")).toMatchObject({ value: { n: 2 } });
  });

  it("keeps the same value for an equal answer, and calls no listener", async () => {
    const cache = new AnswerCache();
    await cache.ask("a", () => Promise.resolve({ n: 1 }));
    const { value } = cache.read("a");
    let calls = 0;
    cache.subscribe("a", () => (calls += 1));
    await cache.ask("a", () => Promise.resolve({ n: 1 }));
    expect(cache.read("a").value).toBe(value);
    expect(calls).toBe(0);
  });

  it("keeps the old value with a failure", async () => {
    const cache = new AnswerCache();
    await cache.ask("a", () => Promise.resolve(1));
    await cache.ask("a", () => Promise.reject(new Error("no")));
    expect(cache.read("a")).toMatchObject({ value: 1, asking: false });
    expect(cache.read("a").failure?.message).toBe("An unexpected error occurred");
  });

  it("asks a question once while its request is in flight", async () => {
    const cache = new AnswerCache();
    let asked = 0;
    const ask = async () => {
      asked += 1;
      await Bun.sleep(5);
      return asked;
    };
    await Promise.all([cache.ask("a", ask), cache.ask("a", ask)]);
    expect(asked).toBe(1);
  });

  it("asks again after a change that came while its request was in flight", async () => {
    const cache = new AnswerCache();
    let asked = 0;
    const ask = async () => {
      asked += 1;
      await Bun.sleep(5);
      return asked;
    };
    cache.subscribe("a", () => {});
    const first = cache.ask("a", ask);
    await cache.ask("a", ask, true);
    await first;
    expect(cache.read("a")).toMatchObject({ value: 2 });
  });

  it("lets a question rest whose answers take long, and asks it at once on request", async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const cache = new AnswerCache(Date.now);
    let asked = 0;
    const ask = async () => {
      asked += 1;
      await new Promise((resolve) => setTimeout(resolve, 1_000));
      return asked;
    };
    cache.subscribe("heavy", () => {});
    void cache.ask("heavy", ask, true);
    for (let change = 0; change < 20; change += 1) {
      await vi.advanceTimersByTimeAsync(1_000);
      void cache.ask("heavy", ask, true);
    }
    // One takes a second and rests for four.
    expect(asked).toBeGreaterThanOrEqual(4);
    expect(asked).toBeLessThanOrEqual(5);
    await vi.advanceTimersByTimeAsync(10_000);
    const before = asked;
    void cache.ask("heavy", ask, true);
    void cache.ask("heavy", ask);
    expect(asked).toBe(before + 1);
  });

  it("aborts a request without listeners, without a failure", async () => {
    const cache = new AnswerCache();
    const leave = cache.subscribe("a", () => {});
    const asked = cache.ask(
      "a",
      (signal) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener("abort", () => reject(signal.reason as Error));
        }),
    );
    leave();
    await asked;
    expect(cache.read("a")).toMatchObject({ failure: undefined, asking: false });
  });

  it("stays bounded", async () => {
    const cache = new AnswerCache();
    for (let key = 0; key < 400; key += 1) {
      await cache.ask(String(key), () => Promise.resolve(key));
    }
    expect(cache.read("0").value).toBeUndefined();
    expect(cache.read("399").value).toBe(399);
  });

  it("removes all answers after a sign-out", async () => {
    const cache = new AnswerCache();
    await cache.ask("a", () => Promise.resolve(1));
    cache.clear();
    expect(cache.read("a").value).toBeUndefined();
  });
});
