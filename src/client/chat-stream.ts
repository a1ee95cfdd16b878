import { catalogError, CatalogError } from "#contract/errors.ts";
import { shortText } from "#lib/short-text.ts";
import { chatParts, readBody, type ChatPart } from "./chat-dialects.ts";
import { connectionFailure } from "./connection.ts";
import { endMark, readEvents } from "./events.ts";
import type { ChatFinish, ChatOptions, ChatStreamEvent } from "./surface/chat.ts";

type Facts = Pick<ChatFinish, "finishReason" | "model" | "messageId"> & {
  readonly conversationId: string;
};

/**
 * A chat answer that is a success as normalised events (spec 6.1). Only `[DONE]` makes it complete. An abort keeps
 * what was said and ends with `reason: "aborted"`; a break gives an `error` event before `finish`.
 */
export async function* readChat(
  response: Response,
  conversationId: string,
  options: Pick<ChatOptions, "signal" | "idleTimeoutMs">,
): AsyncGenerator<ChatStreamEvent, void, undefined> {
  const { citation } = await import("#contract/chat.ts");
  let facts: Facts = {
    finishReason: undefined,
    model: undefined,
    messageId: undefined,
    conversationId,
  };
  let done = false;
  let failed = false;
  const finish = (reason: ChatFinish["reason"]): ChatStreamEvent => ({
    type: "finish",
    ...facts,
    complete: reason === "done",
    reason,
  });
  try {
    for await (const part of parts(response, options)) {
      // What had come already when the caller gave up is of no interest any more.
      if (options.signal?.aborted === true) {
        yield finish("aborted");
        return;
      }
      if (part.type === "facts") {
        facts = { ...facts, ...part.facts };
      } else if (part.type === "done") {
        done = true;
      } else if (part.type === "abort") {
        yield finish("aborted");
        return;
      } else if (part.type === "failure") {
        failed = true;
        yield { type: "error", error: streamFailure(part.words) };
      } else if (part.type === "citation") {
        const parsed = citation.safeParse(part.value);
        yield parsed.success
          ? { type: "citation", citation: parsed.data }
          : { type: "unknown", name: "citation", value: part.value };
      } else {
        yield part;
      }
      if (done) break;
    }
  } catch (error) {
    if (options.signal?.aborted === true) {
      yield finish("aborted");
      return;
    }
    yield { type: "error", error: error instanceof CatalogError ? error : brokenOff(error) };
    yield finish(failed ? "error" : "incomplete");
    return;
  }
  if (failed) {
    yield finish("error");
  } else if (done) {
    yield finish("done");
  } else {
    yield { type: "error", error: streamFailure("the answer ended before its end mark") };
    yield finish("incomplete");
  }
}

async function* parts(
  response: Response,
  options: Pick<ChatOptions, "signal" | "idleTimeoutMs">,
): AsyncGenerator<ChatPart | { readonly type: "done" }, void, undefined> {
  const type = response.headers.get("content-type") ?? "";
  if (/^application\/json/i.test(type)) {
    // A deployment that does not stream answers in one piece: whole when its JSON is.
    yield* await readBody(response);
    yield { type: "done" };
    return;
  }
  for await (const event of readEvents(response, options)) {
    if (event.data.trim() === endMark) {
      yield { type: "done" };
      return;
    }
    yield* chatParts(event.name, event.data);
  }
}

function streamFailure(words: string): CatalogError {
  return catalogError("E203", { details: shortText(words, 500) });
}

function brokenOff(error: unknown): CatalogError {
  return streamFailure(`the answer broke off: ${connectionFailure(error).reason}`);
}
