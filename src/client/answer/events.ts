import { catalogError, type CatalogError } from "#contract/errors.ts";
import { BodyBudget } from "./body-budget.ts";
import { EventParser, type ServerEvent } from "./event-parser.ts";
import { nextChunk } from "./next-chunk.ts";

export interface EventReadOptions {
  readonly signal?: AbortSignal | undefined;
  /** Longest silence, without even a comment (default 60,000). */
  readonly idleTimeoutMs?: number | undefined;
  /** Longest duration, without the reader's own time (default 900,000). */
  readonly streamLimitMs?: number | undefined;
}

/** The event data that ends a stream (spec 6.1). */
export const endMark = "[DONE]";

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
  const parser = new EventParser();
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
      yield* parser.read(decoder.decode(chunk, { stream: true }));
      if (parser.isTooLong)
        throw catalogError("E203", { details: "an event of the stream is too long" });
    }
    // An event without its final empty line may be incomplete, so the parser drops it.
    yield* parser.read(decoder.decode());
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

function brokenOff(reason: string): CatalogError {
  return catalogError("E203", { details: `the stream broke off: ${reason}` });
}
