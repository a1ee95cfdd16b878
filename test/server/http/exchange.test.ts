import { describe, expect, test } from "vitest";
import { repliesEvents } from "#contract/route.ts";
import type { Context } from "#server/http/handler.ts";
import type { HandlerCall } from "#server/http/routing/endpoint.ts";
import { ScanStoppedError } from "#server/kit/storage-errors.ts";
import { getNote, note, problemOf, running } from "./one-route.ts";

describe("a platform that drains", () => {
  test("refuses new requests", async () => {
    const platform = running(getNote, () => ({}));
    platform.drain();
    const response = await platform.send();
    expect(response.headers.get("retry-after")).toMatch(/^[3-8]$/);
    expect(response.headers.get("connection")).toBe("close");
    expect(await problemOf(response)).toMatchObject({
      status: 503,
      code: "draining",
      retryable: true,
    });
  });

  test("waits for a running handler and aborts its signal", async () => {
    let isAborted = false;
    const started = Promise.withResolvers<void>();
    const platform = running(getNote, async (_call, context) => {
      context.signal.addEventListener("abort", () => (isAborted = true));
      started.resolve();
      await Bun.sleep(20);
      return { text: "done" };
    });
    const answer = platform.send();
    await started.promise;
    platform.drain();
    expect(await (await answer).json()).toEqual({ text: "done" });
    expect(isAborted).toBe(true);
  });

  test.each([
    ["stops at its signal", (signal: AbortSignal) => signal.throwIfAborted()],
    [
      "waits for a stopped scan",
      () => {
        throw new ScanStoppedError("The scan was stopped", "aborted");
      },
    ],
  ])("answers for a handler that %s", async (_name, work) => {
    const started = Promise.withResolvers<void>();
    const platform = running(getNote, async (_call, { signal }) => {
      started.resolve();
      await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve()));
      work(signal);
    });
    const answer = platform.send();
    await started.promise;
    platform.drain();
    const response = await answer;
    expect(response.headers.get("connection")).toBe("close");
    expect(await problemOf(response)).toMatchObject({ status: 503, code: "draining" });
    expect(platform.log).toEqual([]);
  });

  test("refuses a request that it has read but not handled", async () => {
    let isHandled = false;
    const platform = running(getNote, () => {
      isHandled = true;
      return {};
    });
    const answer = platform.send();
    platform.drain();
    expect(await problemOf(await answer)).toMatchObject({ status: 503, code: "draining" });
    expect(isHandled).toBe(false);
  });

  test("ends streams without [DONE] and releases their sources", async () => {
    let isReturned = false;
    async function* endless(signal: AbortSignal) {
      try {
        yield { data: { text: "first" } };
        await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve()));
      } finally {
        isReturned = true;
      }
    }
    const definition = { ...getNote, reply: repliesEvents(note) };
    const platform = running(definition, (_call, { signal }) => ({ events: endless(signal) }));
    const response = await platform.send();
    setTimeout(platform.drain, 10);
    const text = await response.text();
    expect(text).toContain("first");
    expect(text).not.toContain("[DONE]");
    expect(isReturned).toBe(true);
    // The client is to come back, not at the same moment as all others.
    const wait = Number(/\nretry: (\d+)\n\n$/.exec(text)?.[1]);
    expect(wait).toBeGreaterThanOrEqual(500);
    expect(wait).toBeLessThanOrEqual(3_000);
  });

  test("ends streams one after another where it has time", async () => {
    async function* endless(signal: AbortSignal) {
      yield { data: { text: "first" } };
      await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve()));
    }
    const definition = { ...getNote, reply: repliesEvents(note) };
    const handler = (_call: unknown, { signal }: { readonly signal: AbortSignal }) => ({
      events: endless(signal),
    });
    const platform = running(definition, handler, {}, 50);
    const responses = await Promise.all(Array.from({ length: 20 }, () => platform.send()));
    platform.drain();
    expect(platform.pipeline.held).toBeGreaterThan(0);
    const texts = await Promise.all(responses.map((response) => response.text()));
    expect(texts.every((text) => text.includes("\nretry: "))).toBe(true);
    expect(platform.pipeline.held).toBe(0);
  });
});

describe("the signals in use", () => {
  test("are released after the response or the stream", async () => {
    const listening = (_call: HandlerCall, { signal }: Context) => {
      signal.addEventListener("abort", () => {});
      return { text: "a" };
    };
    const plain = running(getNote, listening);
    await plain.send();
    expect(plain.pipeline.held).toBe(0);
    const failing = running(getNote, (call, context) => {
      listening(call, context);
      throw new Error("no");
    });
    await failing.send();
    expect(failing.pipeline.held).toBe(0);

    async function* events() {
      yield { data: { text: "a" } };
    }
    const streaming = running({ ...getNote, reply: repliesEvents(note) }, () => ({
      events: events(),
    }));
    const [whole, left] = await Promise.all([streaming.send(), streaming.send()]);
    expect(streaming.pipeline.held).toBe(2);
    await whole.text();
    await left.body?.cancel();
    expect(streaming.pipeline.held).toBe(0);
  });

  test("are aborted with their caller", async () => {
    const gone = new AbortController();
    let reason: unknown;
    const started = Promise.withResolvers<void>();
    const { pipeline } = running(getNote, async (_call, { signal }) => {
      signal.addEventListener("abort", () => (reason = signal.reason));
      started.resolve();
      await new Promise((resolve) => signal.addEventListener("abort", resolve));
      throw new Error("the work was stopped");
    });
    const request = new Request("http://platform.test/v4/notes", { signal: gone.signal });
    const answer = pipeline.fetch(request);
    await started.promise;
    gone.abort("gone");
    expect((await answer).status).toBe(499);
    expect(reason).toBe("gone");
  });
});

describe("over a real connection", () => {
  test("a reader that disconnects ends the stream and releases its signal", async () => {
    const released = Promise.withResolvers<void>();
    async function* endless(signal: AbortSignal) {
      try {
        for (let n = 0; !signal.aborted; n += 1) {
          yield { data: { text: String(n) } };
          await Bun.sleep(1);
        }
      } finally {
        released.resolve();
      }
    }
    const definition = { ...getNote, reply: repliesEvents(note) };
    const { pipeline } = running(definition, (_call, { signal }) => ({ events: endless(signal) }));
    using server = Bun.serve({
      port: 0,
      hostname: "127.0.0.1",
      fetch: (request) => pipeline.fetch(request),
    });
    const leaving = new AbortController();
    const address = `${server.url.origin}/v4/notes`;
    const response = await fetch(address, { signal: leaving.signal });
    expect(Object.fromEntries(response.headers)).toMatchObject({
      "content-type": "text/event-stream",
      "cache-control": "no-cache",
      "x-accel-buffering": "no",
    });
    const reader = response.body?.getReader();
    await reader?.read();
    expect(pipeline.held).toBe(1);
    leaving.abort();
    await released.promise;
    expect(pipeline.held).toBe(0);
  });

  test("a caller that disconnects stops its handler", async () => {
    const started = Promise.withResolvers<void>();
    const stopped = Promise.withResolvers<void>();
    const { pipeline, log } = running(getNote, async (_call, { signal }) => {
      signal.addEventListener("abort", () => stopped.resolve());
      started.resolve();
      await stopped.promise;
      throw new Error("stopped");
    });
    using server = Bun.serve({
      port: 0,
      hostname: "127.0.0.1",
      fetch: (request) => pipeline.fetch(request),
    });
    const leaving = new AbortController();
    const call = fetch(`${server.url.origin}/v4/notes`, { signal: leaving.signal });
    await started.promise;
    leaving.abort();
    await expect(call).rejects.toThrow();
    await stopped.promise;
    await pipeline.idle();
    expect(log).toEqual([]);
  });
});
