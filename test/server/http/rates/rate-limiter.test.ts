import { expect, test } from "vitest";
import { RateWindows } from "#server/kit/turns/rate-windows.ts";
import { RateLimiter } from "#server/http/rates/rate-limiter.ts";

function limiter(requests: number, windows = new RateWindows()) {
  let time = 1_000_000;
  const limiting = new RateLimiter({
    name: "test",
    requests,
    windowSeconds: 10,
    now: () => time,
    counts: windows,
  });
  const take = (caller: string): Record<string, string> => {
    const fields: Record<string, string> = {};
    void limiting.take(caller, fields);
    return fields;
  };
  return {
    take,
    advance: (milliseconds: number) => {
      time += milliseconds;
    },
  };
}

test("reports the quota, its rest and its time", () => {
  const { take, advance } = limiter(3);
  expect(take("a")).toEqual({
    "ratelimit-policy": '"test";q=3;w=10',
    ratelimit: '"test";r=2;t=10',
  });
  advance(4_500);
  expect(take("a")).toMatchObject({ ratelimit: '"test";r=1;t=6' });
});

test("refuses above the quota, with the time of the next try", () => {
  const { take, advance } = limiter(1);
  take("a");
  advance(9_001);
  expect(() => take("a")).toThrow(
    expect.objectContaining({
      code: "rate-limited",
      status: 429,
      options: expect.objectContaining({ headers: { "retry-after": "1" } }),
    }),
  );
});

test("counts each caller, and begins again after the window", () => {
  const { take, advance } = limiter(1);
  take("a");
  take("b");
  expect(() => take("a")).toThrow("Too many requests");
  advance(10_000);
  expect(take("a")).toMatchObject({ ratelimit: '"test";r=0;t=10' });
});

test("keeps a bounded number of callers, those whose window ends last", () => {
  const { take, advance } = limiter(1, new RateWindows({ places: 2 }));
  for (const caller of ["a", "b", "c"]) {
    take(caller);
    advance(100);
  }
  expect(() => take("b")).toThrow("Too many requests");
  expect(() => take("c")).toThrow("Too many requests");
  take("a");
});

test("counts a caller across threads", () => {
  const windows = new RateWindows();
  const one = limiter(3, windows);
  const other = limiter(3, new RateWindows({ memory: windows.memory }));
  expect(one.take("a")).toMatchObject({ ratelimit: '"test";r=2;t=10' });
  expect(other.take("a")).toMatchObject({ ratelimit: '"test";r=1;t=10' });
  expect(one.take("b")).toMatchObject({ ratelimit: '"test";r=2;t=10' });
  expect(one.take("a")).toMatchObject({ ratelimit: '"test";r=0;t=10' });
  expect(() => other.take("a")).toThrow("Too many requests");
});

test("distinguishes ten thousand callers", () => {
  // Two of them may have the same hash, but hardly three.
  const { take } = limiter(2);
  const takeOnceEach = () => {
    for (let number = 0; number < 10_000; number += 1) take(`caller ${number}`);
  };
  expect(takeOnceEach).not.toThrow();
});
