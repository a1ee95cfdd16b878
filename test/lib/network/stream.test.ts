import { expect, test } from "vitest";
import { chunksUntil, streamOf } from "#lib/network/stream.ts";

async function* numbers(ended: { isClosed: boolean }) {
  try {
    for (let value = 0; ; value += 1) yield Uint8Array.of(value);
  } finally {
    ended.isClosed = true;
  }
}

test("a stream reads its source only as far as it is read, and closes it when it is cancelled", async () => {
  const ended = { isClosed: false };
  const reader = streamOf(numbers(ended)).getReader();
  expect((await reader.read()).value).toEqual(Uint8Array.of(0));
  expect((await reader.read()).value).toEqual(Uint8Array.of(1));
  await reader.cancel();
  expect(ended.isClosed).toBe(true);
});

test("the chunks of a stream end with it", async () => {
  const chunks: Uint8Array[] = [];
  const { signal } = new AbortController();
  for await (const chunk of chunksUntil(new Blob(["abc"]).stream(), signal)) chunks.push(chunk);
  expect(Buffer.concat(chunks).toString()).toBe("abc");
});

test("a signal ends a blocked read with its reason, and cancels the stream", async () => {
  const stop = new AbortController();
  let isCancelled = false;
  const silent = new ReadableStream<Uint8Array>({
    cancel() {
      isCancelled = true;
    },
  });
  const read = chunksUntil(silent, stop.signal).next();
  stop.abort(new Error("stopped"));
  await expect(read).rejects.toThrow("stopped");
  expect(isCancelled).toBe(true);
});
