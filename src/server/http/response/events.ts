import type { EventSequence } from "../handler.ts";
import { bytesOf, eventFormat, type StreamedValue, type StreamFormat } from "./stream-format.ts";

const encoder = new TextEncoder();

export interface EventStreamOptions {
  readonly signal: AbortSignal;
  readonly pingIntervalMs: number;
  /** Server-sent events are the default format. */
  readonly format?: StreamFormat;
  /** The sequence failed after the status was sent. */
  readonly onFailure: (error: unknown) => void;
  /** Called once, at any end. */
  readonly onEnd: () => void;
  /** Called when the reader leaves: it ends what the sequence waits for. */
  readonly onLeave?: () => void;
}

/**
 * A body with one event for each value of a sequence. Server-sent events begin with a comment, to
 * flush the head, have `: ping` while idle and `[DONE]` after the last value, and a drain ends them
 * with `retry:`, the milliseconds after which to connect again. The stream takes a value from the
 * sequence only when its reader has room.
 */
export function eventStream<Event>(
  sequence: EventSequence<Event>,
  options: EventStreamOptions,
): ReadableStream<Uint8Array> {
  const { signal, pingIntervalMs, onFailure, onEnd, onLeave, format = eventFormat } = options;
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

  const isStopped = (): boolean => isOver;
  const finish = async (controller: Controller, text: string | undefined): Promise<void> => {
    await end();
    send(controller, text);
    controller.close();
  };
  const ping = (controller: Controller): void => {
    if (!isOver && (controller.desiredSize ?? 0) > 0) send(controller, format.ping);
  };

  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        send(controller, format.opening);
        if (format.ping !== undefined) timer = setInterval(() => ping(controller), pingIntervalMs);
        stop = () => {
          if (isOver) return;
          end().catch(() => {});
          send(controller, format.stopped(signal));
          controller.close();
        };
        signal.addEventListener("abort", stop, { once: true });
        if (signal.aborted) stop();
      },
      async pull(controller) {
        if (isOver) return;
        let next: IteratorResult<StreamedValue>;
        try {
          next = await iterator.next();
        } catch (error) {
          if (isStopped()) return;
          onFailure(error);
          return finish(controller, format.failed);
        }
        // The client may have disconnected in the meantime.
        if (isStopped()) return;
        if (next.done === true) return finish(controller, format.done);
        count += 1;
        controller.enqueue(bytesOf(format, next.value, count));
      },
      cancel() {
        const ending = end();
        onLeave?.();
        return ending;
      },
    },
    { highWaterMark: 8 },
  );
}

type Controller = ReadableStreamDefaultController<Uint8Array>;

function send(controller: Controller, text: string | undefined): void {
  if (text !== undefined) controller.enqueue(encoder.encode(text));
}
