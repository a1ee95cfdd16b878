import type { EventSequence } from "../handler.ts";

const encoder = new TextEncoder();
const ping = encoder.encode(": ping\n\n");
const opening = encoder.encode(": open\n\n");
const done = encoder.encode("data: [DONE]\n\n");

export interface EventStreamOptions {
  readonly signal: AbortSignal;
  readonly pingIntervalMs: number;
  /** The sequence failed in the middle: the answer's status has left long ago. */
  readonly onFailure: (error: unknown) => void;
  /** Once, however it ends. */
  readonly onEnd: () => void;
}

/**
 * A sequence as server-sent events (WHATWG HTML, 9.2): an opening comment, so that the head leaves
 * at once, one event a value with an `id:`, a `: ping` comment while nothing happens, and `[DONE]`
 * once the sequence has ended by itself. One event is made at a time, when the reader has room.
 */
export function eventStream<Event>(
  sequence: EventSequence<Event>,
  options: EventStreamOptions,
): ReadableStream<Uint8Array> {
  const { signal, pingIntervalMs, onFailure, onEnd } = options;
  const iterator = sequence.events[Symbol.asyncIterator]();
  let count = 0;
  let isOver = false;
  let timer: ReturnType<typeof setInterval> | undefined;
  let stop: (() => void) | undefined;

  const end = async (): Promise<void> => {
    if (isOver) return;
    isOver = true;
    onEnd();
    clearInterval(timer);
    if (stop !== undefined) signal.removeEventListener("abort", stop);
    // What the sequence holds (a subscription, a model's answer) is let go; it may fail in that.
    await Promise.resolve(iterator.return?.()).catch(() => {});
  };

  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        controller.enqueue(opening);
        timer = setInterval(() => {
          if (!isOver && (controller.desiredSize ?? 0) > 0) controller.enqueue(ping);
        }, pingIntervalMs);
        stop = () => {
          if (isOver) return;
          void end();
          controller.close();
        };
        signal.addEventListener("abort", stop, { once: true });
        if (signal.aborted) stop();
      },
      async pull(controller) {
        if (isOver) return;
        let next: IteratorResult<{ readonly id?: string; readonly data: Event }>;
        try {
          next = await iterator.next();
        } catch (error) {
          // No [DONE]: the reader sees that the stream is not complete.
          if (!isStopped()) {
            onFailure(error);
            await end();
            controller.close();
          }
          return;
        }
        // The caller may have gone while the next event was awaited.
        if (isStopped()) return;
        if (next.done === true) {
          controller.enqueue(done);
          await end();
          controller.close();
          return;
        }
        count += 1;
        controller.enqueue(encoder.encode(eventText(next.value, count)));
      },
      cancel: () => end(),
    },
    { highWaterMark: 8 },
  );

  function isStopped(): boolean {
    return isOver;
  }
}

function eventText(event: { readonly id?: string; readonly data: unknown }, count: number): string {
  // An id with a line break would end the field and begin another.
  const id = (event.id ?? String(count)).replaceAll(/[\r\n\0]/g, "");
  return `id: ${id}\ndata: ${JSON.stringify(event.data)}\n\n`;
}
