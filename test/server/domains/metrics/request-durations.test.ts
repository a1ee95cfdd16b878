import { describe, expect, test } from "vitest";
import { RequestDurations } from "#server/domains/metrics/request-durations.ts";

function answered(path: string, { method = "GET", status = 200, route = true, afterMs = 0 } = {}) {
  return {
    endpoint: route ? { definition: { path } } : undefined,
    path,
    method,
    startedMs: performance.now() - afterMs,
    response: { status },
  };
}

const sum = (all: readonly { readonly buckets: readonly number[] }[]): number =>
  all.flatMap(({ buckets }) => buckets).reduce((total, count) => total + count, 0);

describe("the durations of requests", () => {
  test("are counted by route, method and status, in the bucket of their time", () => {
    const durations = new RequestDurations();
    durations.note(answered("/v4/a/{id}"));
    durations.note(answered("/v4/a/{id}", { afterMs: 200 }));
    durations.note(answered("/v4/a/{id}", { method: "HEAD" }));
    durations.note(answered("/v4/a/{id}", { status: 404, afterMs: 60_000 }));
    expect(durations.all()).toMatchObject([
      { route: "/v4/a/{id}", method: "GET", status: 200, buckets: [1, 0, 0, 1, 0, 0, 0] },
      { route: "/v4/a/{id}", method: "HEAD", status: 200, buckets: [1, 0, 0, 0, 0, 0, 0] },
      { route: "/v4/a/{id}", method: "GET", status: 404, buckets: [0, 0, 0, 0, 0, 0, 1] },
    ]);
  });

  test("have no label with a value that a caller invents", () => {
    const durations = new RequestDurations();
    durations.note(answered("/secret-plan", { method: "BREW", status: 404, route: false }));
    durations.note(answered("/auth/factors?x", { status: 200, route: false }));
    expect(durations.all()).toMatchObject([
      { route: undefined, method: "_OTHER", status: 404 },
      { route: "/auth", method: "GET", status: 200 },
    ]);
  });

  test("are a bounded number of histograms, whatever callers do, and no request is missing", () => {
    const durations = new RequestDurations();
    for (let at = 0; at < 1_000; at += 1) {
      durations.note(answered(`/v4/${at}`, { status: 400 + (at % 100) }));
      durations.note(answered(`/v4/${at}`, { method: "POST" }));
    }
    const all = durations.all();
    expect(all.length).toBe(201);
    expect(all.at(-1)?.status).toBeUndefined();
    expect(sum(all)).toBe(2_000);
  });

  test("of a thread are added to those of the main thread once", () => {
    const thread = new RequestDurations();
    const main = new RequestDurations();
    for (let round = 1; round <= 3; round += 1) {
      thread.note(answered("/v4/a"));
      thread.note(answered("/other", { route: false, status: 404 }));
      main.add(thread.take());
      expect(thread.take()).toEqual([]);
      expect(sum(main.all())).toBe(2 * round);
    }
    expect(main.all().map(({ route, status }) => [route, status])).toEqual([
      ["/v4/a", 200],
      [undefined, 404],
    ]);
  });
});
