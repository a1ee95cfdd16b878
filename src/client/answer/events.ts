import { createParser } from "eventsource-parser";
import { catalogError, type CatalogError } from "#contract/errors.ts";
import { BodyBudget } from "./body-budget.ts";
import { nextChunk } from "./next-chunk.ts";

export interface ServerEvent {
  readonly name: string | undefined;
  readonly data: string;
  readonly id: string | undefined;
}

export interface EventReadOptions {
  readonly signal?: AbortSignal | undefined;
  /** Longest silence, without even a comment (default 60,000). */
  readonly idleTimeoutMs?: number | undefined;
  /** Longest duration, without the reader's own time (default 900,000). */
  readonly streamLimitMs?: number | undefined;
}

/** The event data that ends a stream (spec 6.1). */
export const endMark = "[DONE]";

/** Longest line or event, in UTF-16 units. */
const maximumEventLength = 1024 * 1024;
const defaultIdleTimeoutMs = 60_000;
const defaultStreamLimitMs = 900_000;
const maximumStreamBytes = 16 * 1024 * 1024;

/**
 * The server-sent events of a body (WHATWG HTML). Throws E203 for a stream that breaks off, stays
 * silent, exceeds 16 MiB or its time limit, and for an event above 1 MiB, and the signal's reason.
 * The caller checks for `[DONE]`.
 */
export async function* readEvents(
  response: Response,
  {
    signal,
    idleTimeoutMs = defaultIdleTimeoutMs,
    streamLimitMs = defaultStreamLimitMs,
  }: EventReadOptions = {},
): AsyncGenerator<ServerEvent, void, undefined> {
  if (response.body === null) return;
  const queue: ServerEvent[] = [];
  let tooLong = false;
  const parser = createParser({
    maxBufferSize: maximumEventLength,
    onEvent: ({ event: name, data, id }) => {
      // The parser does not measure an event that arrives in one chunk.
      tooLong ||= data.length > maximumEventLength;
      if (!tooLong) queue.push({ name, data, id });
    },
    onError: (error) => {
      tooLong ||= error.type === "max-buffer-size-exceeded";
    },
  });
  const decoder = new TextDecoder();
  const budget = new BodyBudget({
    longestWaitMs: streamLimitMs,
    maximumBytes: maximumStreamBytes,
  });
  const reader = response.body.getReader();
  try {
    for (;;) {
      const chunk = await nextChunk(reader, { idleTimeoutMs, budget, signal, failed: brokenOff });
      if (chunk === undefined) break;
      parser.feed(decoder.decode(chunk, { stream: true }));
      yield* queue.splice(0);
      if (tooLong) throw catalogError("E203", { details: "an event of the stream is too long" });
    }
    // An event without its final empty line may be incomplete, so the parser drops it.
    parser.feed(decoder.decode());
    yield* queue.splice(0);
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

function brokenOff(reason: string): CatalogError {
  return catalogError("E203", { details: `the stream broke off: ${reason}` });
}
