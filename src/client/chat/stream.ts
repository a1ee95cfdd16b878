import type { Citation } from "#contract/documents/chat.ts";
import { catalogError, CatalogError } from "#contract/errors.ts";
import { partOf } from "#contract/plain/shape.ts";
import { shortText } from "#lib/text/short.ts";
import {
  chatParts,
  readBody,
  type ChatFinish,
  type ChatPart,
  type ChatStreamEvent,
} from "./dialects.ts";
import { connectionFailure } from "../transport/connection.ts";
import { plainAnswer } from "../answer/answer.ts";
import { unclear } from "../answer/plain-value.ts";
import { clientRoute } from "../route.ts";
import { endMark, readEvents, type EventReadOptions } from "../answer/events.ts";

/**
 * The normalised events of a successful chat response (spec 6.1); only `[DONE]` makes it complete.
 * An abort ends with `reason: "aborted"`; a broken stream yields `error` before `finish`.
 */
export async function* readChat(
  response: Response,
  conversationId: string,
  options: EventReadOptions,
): AsyncGenerator<ChatStreamEvent, void, undefined> {
  let facts: Omit<ChatFinish, "complete" | "reason"> = {
    finishReason: undefined,
    model: undefined,
    messageId: undefined,
    conversationId,
    lastEventId: undefined,
  };
  let reason: ChatFinish["reason"] = "incomplete";
  const isAborted = () => options.signal?.aborted === true;
  try {
    for await (const part of parts(response, options)) {
      // Parts that arrived before the abort are dropped.
      if (isAborted() || part.type === "abort") {
        reason = "aborted";
        break;
      } else if (part.type === "done") {
        if (reason === "incomplete") reason = "done";
        break;
      } else if (part.type === "facts") {
        facts = { ...facts, ...part.facts };
      } else if (part.type === "failure") {
        reason = "error";
        yield { type: "error", error: streamFailure(part.words) };
      } else if (part.type === "citation" || part.type === "nearest") {
        yield await readCitation(part.type, part.value);
      } else {
        yield part;
      }
    }
    if (reason === "incomplete") {
      yield { type: "error", error: streamFailure("the answer ended before its end mark") };
    }
  } catch (error) {
    if (isAborted()) reason = "aborted";
    else yield { type: "error", error: error instanceof CatalogError ? error : brokenOff(error) };
  }
  yield { type: "finish", ...facts, complete: reason === "done", reason };
}

/** True if a citation is as the contract says. */
function isPlainCitation(value: unknown): value is Citation {
  const event = { type: "data-citation", data: value };
  return plainAnswer(clientRoute("chat", "stream"), "reply", event) !== unclear;
}

async function readCitation(
  type: "citation" | "nearest",
  value: unknown,
): Promise<ChatStreamEvent> {
  if (isPlainCitation(value)) return { type, citation: value };
  const { readAnswer } = await import("../answer/reading.ts");
  const reply = clientRoute("chat", "send").formOf("reply");
  const reading = reply && readAnswer(partOf(partOf(reply, "citations"), 0), value);
  // The reader has checked or replaced each member of a citation.
  return reading?.fits === true
    ? { type, citation: reading.value as Citation }
    : { type: "unknown", name: type, value };
}

async function* parts(
  response: Response,
  options: EventReadOptions,
): AsyncGenerator<ChatPart | { readonly type: "done" }, void, undefined> {
  const type = response.headers.get("content-type") ?? "";
  if (/^(?:application\/json|text\/plain)\b/i.test(type)) {
    // A deployment without streaming sends one body, which is complete when it ends.
    yield* await readBody(response, /^text/i.test(type));
    yield { type: "done" };
    return;
  }
  for await (const event of readEvents(response, options)) {
    if (event.data.trim() === endMark) {
      yield { type: "done" };
      return;
    }
    yield* chatParts(event.name, event.data);
    if (event.id !== undefined) yield { type: "facts", facts: { lastEventId: event.id } };
  }
}

function streamFailure(words: string): CatalogError {
  return catalogError("E203", { details: shortText(words, 500) });
}

function brokenOff(error: unknown): CatalogError {
  return streamFailure(`the answer broke off: ${connectionFailure(error).reason}`);
}
