import { createParser } from "eventsource-parser";
import { catalogError, type CatalogError } from "#contract/errors.ts";
import { nextChunk } from "./next-chunk.ts";

/** One server-sent event. */
export interface ServerEvent {
  readonly id: string | undefined;
  readonly name: string | undefined;
  readonly data: string;
}

export interface EventReadOptions {
  readonly signal?: AbortSignal | undefined;
  /** Longest silence, in which not even a comment comes (default 60,000). */
  readonly idleTimeoutMs?: number | undefined;
}

/** The sentinel that ends a stream (spec 6.1). */
export const endMark = "[DONE]";

/** Longest line or event that is held back until its end comes, in UTF-16 units. */
const maximumEventLength = 1024 * 1024;
const defaultIdleTimeoutMs = 60_000;

/**
 * A body of server-sent events as they come (WHATWG HTML). Throws E203 when it breaks off, falls
 * silent or sends an event above 1 MiB, and the signal's reason when the caller gave up. An end
 * without `[DONE]` is no error here: its reader knows whether one is due.
 */
export async function* readEvents(
  response: Response,
  options: EventReadOptions = {},
): AsyncGenerator<ServerEvent, void, undefined> {
  if (response.body === null) return;
  const queue: ServerEvent[] = [];
  let tooLong = false;
  const parser = createParser({
    maxBufferSize: maximumEventLength,
    onEvent: (event) => {
      // An event that came in one chunk was never held back, and so not measured by the parser.
      tooLong ||= event.data.length > maximumEventLength;
      if (!tooLong) queue.push({ id: event.id, name: event.event, data: event.data });
    },
    onError: (error) => {
      tooLong ||= error.type === "max-buffer-size-exceeded";
    },
  });
  const decoder = new TextDecoder();
  const reader = response.body.getReader();
  const wait = {
    silenceMs: options.idleTimeoutMs ?? defaultIdleTimeoutMs,
    signal: options.signal,
    failed: brokenOff,
  };
  try {
    for (;;) {
      const chunk = await nextChunk(reader, wait);
      if (chunk === undefined) break;
      parser.feed(decoder.decode(chunk, { stream: true }));
      yield* queue.splice(0);
      if (tooLong) throw catalogError("E203", { details: "an event of the stream is too long" });
    }
    // A last event whose empty line never came is not dispatched: it may be a part of one.
    parser.feed(decoder.decode());
    yield* queue.splice(0);
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

function brokenOff(reason: string): CatalogError {
  return catalogError("E203", { details: `the stream broke off: ${reason}` });
}
