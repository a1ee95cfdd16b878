import { Refusal } from "#contract/problems.ts";
import type { EventSequence } from "../handler.ts";
import { jsonOf } from "./json-text.ts";

const encoder = new TextEncoder();
const ping = encoder.encode(": ping\n\n");
const opening = encoder.encode(": open\n\n");
const done = encoder.encode("data: [DONE]\n\n");

const retryFromMs = 500;
const retrySpreadMs = 2_500;

export interface EventStreamOptions {
  readonly signal: AbortSignal;
  readonly pingIntervalMs: number;
  /** The sequence failed after the status was sent. */
  readonly onFailure: (error: unknown) => void;
  /** Called once, at any end. */
  readonly onEnd: () => void;
}

/**
 * Server-sent events (WHATWG HTML, 9.2): an opening comment, which flushes the head, one event with
 * `id:` for each value, `: ping` while idle, `[DONE]` after the last value. A drain ends it with
 * `retry:`, the milliseconds after which to connect again. The stream takes a value from the
 * sequence only when its reader has room.
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
    // Releases what the sequence holds; a failure of that has no effect here.
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
          end().catch(() => {});
          closeWith(controller, signal);
        };
        signal.addEventListener("abort", stop, { once: true });
        if (signal.aborted) stop();
      },
      async pull(controller) {
        if (isOver) return;
        let next: IteratorResult<{ readonly id?: string; readonly data: unknown }>;
        try {
          next = await iterator.next();
        } catch (error) {
          // The missing [DONE] shows the client that the stream is incomplete.
          if (!isStopped()) {
            onFailure(error);
            await end();
            controller.close();
          }
          return;
        }
        // The client may have disconnected in the meantime.
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

/** A drain names the time after which a browser connects again, another one for each. */
function closeWith(
  controller: ReadableStreamDefaultController<Uint8Array>,
  { reason }: AbortSignal,
): void {
  if (reason instanceof Refusal && reason.code === "draining") {
    const retryMs = Math.round(retryFromMs + Math.random() * retrySpreadMs);
    controller.enqueue(encoder.encode(`retry: ${retryMs}\n\n`));
  }
  controller.close();
}

function eventText(event: { readonly id?: string; readonly data: unknown }, count: number): string {
  // A line break in an id would begin another field.
  const id = (event.id ?? String(count)).replaceAll(/[\r\n\0]/g, "");
  return `id: ${id}\ndata: ${jsonOf(event.data)}\n\n`;
}
