import { expect, test } from "vitest";
import { BodyBudget } from "#client/answer/body-budget.ts";
import { nextChunk, type ChunkReader } from "#client/answer/next-chunk.ts";
import { catalogError } from "#contract/errors.ts";

function next(
  reader: ChunkReader,
  { maximumBytes = 10, longestWaitMs = 1_000, signal = undefined as AbortSignal | undefined } = {},
) {
  return nextChunk(reader, {
    idleTimeoutMs: 20,
    budget: new BodyBudget({ longestWaitMs, maximumBytes }),
    signal,
    failed: (reason) => catalogError("E203", { details: `failed: ${reason}` }),
  });
}

const silent: ChunkReader = { read: () => new Promise(() => undefined) };
const bytes = new Uint8Array(10);

test("a chunk is returned, and the end is undefined", async () => {
  expect(await next({ read: () => Promise.resolve({ done: false, value: bytes }) })).toBe(bytes);
  expect(await next({ read: () => Promise.resolve({ done: true }) })).toBe(undefined);
});

test.each<[string, ChunkReader, Parameters<typeof next>[1], string]>([
  ["silent", silent, {}, "failed: nothing came for 0.02 s"],
  ["slow", silent, { longestWaitMs: 1 }, "failed: it came too slowly"],
  [
    "large",
    { read: () => Promise.resolve({ done: false, value: bytes }) },
    { maximumBytes: 9 },
    "failed: it is larger than 9 bytes",
  ],
  [
    "broken",
    { read: () => Promise.reject(Object.assign(new Error("secret"), { code: "ECONNRESET" })) },
    {},
    "failed: the connection was closed before the response ended",
  ],
])("a %s body fails", async (_name, reader, limits, message) => {
  await expect(next(reader, limits)).rejects.toThrow(message);
});

test("the signal's reason ends a wait", async () => {
  const stop = new AbortController();
  const waiting = next(silent, { signal: stop.signal });
  stop.abort(new Error("stopped"));
  await expect(waiting).rejects.toThrow("stopped");
});
