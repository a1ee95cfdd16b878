import { Interruption } from "../time/deferred.ts";

/** An async iterable as a stream with backpressure. */
export function streamOf(chunks: AsyncIterable<Uint8Array>): ReadableStream<Uint8Array> {
  const iterator = chunks[Symbol.asyncIterator]();
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await iterator.next();
        if (done === true) controller.close();
        else controller.enqueue(value);
      },
      async cancel() {
        await iterator.return?.();
      },
    },
    { highWaterMark: 0 },
  );
}

/** A stream's chunks. Throws the signal's reason as soon as it aborts, also during a read. */
export async function* chunksUntil(
  stream: ReadableStream<Uint8Array>,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array, void, undefined> {
  const reader = stream.getReader();
  const interruption = new Interruption();
  const stop = (): void => interruption.fail(signal.reason);
  signal.addEventListener("abort", stop, { once: true });
  try {
    for (;;) {
      signal.throwIfAborted();
      const { done, value } = await interruption.orFail(reader.read());
      if (done) return;
      yield value;
    }
  } finally {
    signal.removeEventListener("abort", stop);
    // It is not awaited, because cancelling waits for a blocked read.
    void reader.cancel().catch(() => undefined);
  }
}
