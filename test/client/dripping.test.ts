import { describe, expect, it } from "vitest";
import { BodyBudget } from "#client/answer/body-budget.ts";
import { readContent } from "#client/files/content.ts";
import type { ChatStreamEvent } from "#client/index.ts";
import { clientOf, errorOf, serve } from "./servers.ts";

/** A body that sends this text every few milliseconds, without end. */
function dripping(text: string): ReadableStream<Uint8Array> {
  const drop = new TextEncoder().encode(text);
  let timer: ReturnType<typeof setInterval> | undefined;
  return new ReadableStream({
    start: (controller) => {
      timer = setInterval(() => controller.enqueue(drop), 10);
    },
    cancel: () => clearInterval(timer),
  });
}

describe("a body that drips", () => {
  it("ends a chat stream at its time limit, although it is never silent", async () => {
    const headers = { "content-type": "text/event-stream" };
    const server = serve(() => new Response(dripping("data: x\n\n"), { headers }));
    const events: ChatStreamEvent[] = [];
    const stream = clientOf(server).useChat("w").stream("hi", { streamLimitMs: 150 });
    for await (const event of stream) events.push(event);
    expect(events.length).toBeGreaterThan(2);
    expect(events.at(-2)).toMatchObject({
      type: "error",
      error: { code: "E203", message: expect.stringContaining("it came too slowly") },
    });
    expect(events.at(-1)).toMatchObject({ type: "finish", complete: false, reason: "incomplete" });
  });

  it.each([Number.NaN, 0, Infinity])("has no stream limit of %d", async (streamLimitMs) => {
    const server = serve(() => new Response(""));
    const stream = clientOf(server).useChat("w").stream("hi", { streamLimitMs });
    expect(await errorOf(stream[Symbol.asyncIterator]().next())).toMatchObject({ code: "E305" });
    expect(server.seen).toHaveLength(0);
  });

  it("ends a download that is slower than its least rate", async () => {
    const limits = { longestWaitMs: 100, waitMsPerKiB: 1, maximumBytes: 1e9 };
    const response = new Response(dripping("x"), { headers: { "content-length": "5000000" } });
    const { chunks } = readContent(response, undefined, undefined, undefined, limits);
    let received = 0;
    const reading = async (): Promise<void> => {
      for await (const chunk of chunks()) received += chunk.byteLength;
    };
    expect(await errorOf(reading())).toMatchObject({
      code: "E203",
      message: expect.stringContaining("it came too slowly"),
    });
    expect(received).toBeGreaterThan(0);
  });

  it("ends one JSON state where events were asked for", async () => {
    const headers = { "content-type": "application/json" };
    const server = serve(() => new Response(dripping(" "), { headers }));
    const { job } = clientOf(server, { timeoutMs: 100 }).documents;
    const params = { jobId: "0198f0a0-4444-7000-8000-000000000004" };
    expect(await errorOf(job.events({ params })[Symbol.asyncIterator]().next())).toMatchObject({
      code: "E203",
      message: expect.stringContaining("it does not end"),
    });
  });
});

describe("the budget of a body", () => {
  it("grows with what came, and counts only waits", () => {
    const budget = new BodyBudget({ longestWaitMs: 1000, waitMsPerKiB: 10, maximumBytes: 10_000 });
    expect(budget.remainingMs).toBe(1000);
    expect(budget.spend(2048, 400)).toBeUndefined();
    expect(budget.remainingMs).toBe(620);
    expect(budget.spend(0, 5000)).toBeUndefined();
    expect(budget.remainingMs).toBe(0);
    expect(budget.spend(10_000, 0)).toBe("it is larger than 10000 bytes");
  });
});
