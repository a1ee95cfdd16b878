import { expect, test } from "vitest";
import { RateLimiter } from "#server/pipeline/rates.ts";

function limiter(requests: number, maximumCallers = 100) {
  let time = 1_000_000;
  const limiting = new RateLimiter({
    name: "test",
    requests,
    windowSeconds: 10,
    now: () => time,
    maximumCallers,
  });
  const take = (caller: string): Record<string, string> => {
    const fields: Record<string, string> = {};
    limiting.take(caller, fields);
    return fields;
  };
  return {
    take,
    advance: (milliseconds: number) => {
      time += milliseconds;
    },
  };
}

test("says the quota, what is left of it, and for how long", () => {
  const { take, advance } = limiter(3);
  expect(take("a")).toEqual({
    "ratelimit-policy": '"test";q=3;w=10',
    ratelimit: '"test";r=2;t=10',
  });
  advance(4_500);
  expect(take("a")).toMatchObject({ ratelimit: '"test";r=1;t=6' });
});

test("refuses beyond the quota and says when to come again", () => {
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

test("counts each caller alone, and begins again after the window", () => {
  const { take, advance } = limiter(1);
  take("a");
  take("b");
  expect(() => take("a")).toThrow("Too many requests");
  advance(10_000);
  expect(take("a")).toMatchObject({ ratelimit: '"test";r=0;t=10' });
});

test("remembers a bounded number of callers, the newest", () => {
  const { take } = limiter(1, 2);
  take("a");
  take("b");
  take("c");
  expect(() => take("b")).toThrow("Too many requests");
  expect(() => take("c")).toThrow("Too many requests");
  take("a");
});
