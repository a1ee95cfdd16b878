import { describe, expect, it } from "vitest";
import { sleep } from "#lib/time/sleep.ts";
import { streamOf } from "#lib/network/stream.ts";
import { TimeLimit } from "#lib/time/time-limit.ts";

describe("a time limit", () => {
  it("aborts when the time runs out, and says that this was why", async () => {
    const limit = new TimeLimit(5);
    await expect(sleep(5000, limit.signal)).rejects.toThrow("The time ran out");
    expect([limit.expired, limit.remainingMs]).toEqual([true, 0]);
  });

  it("aborts with the caller's reason, and is then not expired", () => {
    const controller = new AbortController();
    const limit = new TimeLimit(60_000, controller.signal);
    const reason = new Error("enough");
    controller.abort(reason);
    expect(limit.signal.reason).toBe(reason);
    expect(limit.expired).toBe(false);
    limit.close();
    expect(new TimeLimit(1000, controller.signal).signal.reason).toBe(reason);
  });

  it("that is stopped or closed no longer aborts", async () => {
    const controller = new AbortController();
    const stopped = new TimeLimit(5, controller.signal);
    stopped.stopClock();
    const closed = new TimeLimit(5, controller.signal);
    closed.close();
    await sleep(20);
    controller.abort();
    expect([stopped.signal.aborted, stopped.expired, closed.signal.aborted]).toEqual([
      true,
      false,
      false,
    ]);
  });

  it("can be restarted", async () => {
    const limit = new TimeLimit(5);
    limit.restart(60_000);
    await sleep(20);
    expect(limit.signal.aborted).toBe(false);
    expect(limit.remainingMs).toBeGreaterThan(50_000);
    limit.close();
  });
});

describe("sleep", () => {
  it("rejects at once with the signal's reason", async () => {
    const reason = new Error("enough");
    await expect(sleep(5000, AbortSignal.abort(reason))).rejects.toBe(reason);
    const controller = new AbortController();
    const sleeping = sleep(5000, controller.signal);
    controller.abort(reason);
    await expect(sleeping).rejects.toBe(reason);
  });
});

describe("a stream of an iterable", () => {
  it("reads no further than it is asked to, and ends the iterable when it is left", async () => {
    const state = { made: 0, ended: false };
    async function* numbers() {
      try {
        for (;;) {
          state.made += 1;
          yield new Uint8Array([state.made]);
        }
      } finally {
        state.ended = true;
      }
    }
    const reader = streamOf(numbers()).getReader();
    await reader.read();
    await reader.read();
    await reader.cancel();
    expect(state).toEqual({ made: 2, ended: true });
  });
});
