import { keyAnnouncement, replayFields } from "#contract/shared-names.ts";
import { problemMediaType, type Refusal } from "#contract/problems.ts";
import type { Reply } from "#contract/route.ts";
import type { AnswerBudget } from "../../kit/answer-budget.ts";
import { countedBody } from "./counted-body.ts";
import { streamedResponses } from "./body-sources.ts";
import { Answer, type EventSequence } from "../handler.ts";
import type { AnswerOptions } from "../../work/work.ts";
import { jsonParts, JsonText, textTag } from "../../kit/lists/json-text.ts";
import type { Exchange } from "../exchange.ts";
import type { KeptResponse } from "../../work/ports.ts";
import { entityTag, includesTag, requireTag, withTag } from "./entity-tag.ts";
import { eventStream, type EventStreamOptions } from "./events.ts";
import { eventFormat, socketFormat } from "./stream-format.ts";
import { wantsSocket } from "./socket-request.ts";

const jsonType = "application/json";
const eventFields = {
  "content-type": "text/event-stream",
  "cache-control": "no-cache",
  "x-accel-buffering": "no",
};

export function respond(
  exchange: Exchange,
  given: unknown,
  {
    answers,
    ...streams
  }: Omit<EventStreamOptions, "signal" | "onEnd" | "onLeave"> & { readonly answers: AnswerBudget },
): Response {
  const { definition } = exchange.route;
  if (given instanceof Response) return withFields(exchange, given);
  if (given instanceof Answer) {
    return jsonResponse(exchange, given.body, answers, given.options);
  }
  if (isEventSequence(given)) {
    exchange.isStreaming = true;
    const isSocket = wantsSocket(exchange);
    const stream = eventStream(given, {
      ...streams,
      format: isSocket ? socketFormat : eventFormat,
      signal: exchange.signal,
      onEnd: () => exchange.release(),
      onLeave: () => exchange.leave(),
    });
    // The listener turns the lines of a response with the status 101 into messages.
    const response = new Response(stream, {
      status: isSocket ? 101 : 200,
      headers: {
        ...plainFields(exchange),
        ...(isSocket ? {} : eventFields),
        ...given.headers,
      },
    });
    streamedResponses.add(response);
    return response;
  }
  if (given === undefined) {
    return new Response(null, { status: definition.reply.status, headers: plainFields(exchange) });
  }
  return jsonResponse(exchange, given, answers, {});
}

function jsonResponse(
  exchange: Exchange,
  body: unknown,
  answers: AnswerBudget,
  options: AnswerOptions,
): Response {
  const { status = exchange.route.definition.reply.status, headers: fields } = options;
  const headers = plainFields(exchange);
  const { reply } = exchange.route.definition;
  headers["content-type"] = mediaTypeOf(reply);
  const isRead = exchange.method === "GET" || exchange.method === "HEAD";
  const ownTag = fields?.["etag"] ?? entityTag(body);
  let parts: readonly string[] | undefined;
  const tag = ownTag ?? (isRead ? tagOf(body, (parts = jsonParts(body))) : undefined);
  if (tag !== undefined) headers["etag"] = tag;
  Object.assign(headers, fields);
  if (ownTag !== undefined && isRead) requireTag(exchange.headers.get("if-match"), ownTag);
  if (tag !== undefined && isRead && includesTag(exchange.headers.get("if-none-match"), tag)) {
    delete headers["content-type"];
    return new Response(null, { status: 304, headers });
  }
  parts = withFeedCursor(exchange, parts ?? jsonParts(body));
  exchange.claimed?.remember({ status, headers: withTag(body, fields), body: parts.join("") });
  if (exchange.method === "HEAD") {
    return textResponse(exchange, parts.join(""), { status, headers });
  }
  const content = countedBody(
    parts,
    answers,
    exchange.workspace?.id ?? exchange.enteredWorkspaceId ?? "",
  );
  const response = new Response(content, { status, headers });
  if (typeof content !== "string") streamedResponses.add(response);
  return response;
}

function mediaTypeOf(reply: Reply): string {
  return (reply.type === "json" && reply.mediaType) || jsonType;
}

function tagOf(body: unknown, parts: readonly string[]): string {
  return (body instanceof JsonText ? body.tag : undefined) ?? textTag(parts);
}

/** Adds the cursor after the entity tag is made: an unchanged page has the same tag later. */
function withFeedCursor({ feedCursor }: Exchange, parts: readonly string[]): readonly string[] {
  const last = parts.at(-1);
  if (feedCursor === undefined || last?.endsWith("}") !== true) return parts;
  return [
    ...parts.slice(0, -1),
    `${last.slice(0, -1)},"feedCursor":${JSON.stringify(feedCursor)}}`,
  ];
}

export function replay(exchange: Exchange, kept: KeptResponse): Response {
  const headers = plainFields(exchange);
  const { reply } = exchange.route.definition;
  if (kept.body !== null) headers["content-type"] = mediaTypeOf(reply);
  Object.assign(headers, kept.headers);
  headers[replayFields[0]] = "true";
  return new Response(kept.body, { status: kept.status, headers });
}

/** The problem body of a refusal (RFC 9457). */
export function problemResponse(exchange: Exchange, refusal: Refusal): Response {
  const problem = refusal.toProblem(exchange.path, exchange.requestId);
  const headers = plainFields(exchange);
  headers["content-type"] = problemMediaType;
  Object.assign(headers, refusal.options.headers);
  return textResponse(exchange, JSON.stringify(problem), { status: refusal.status, headers });
}

/** The problem for a request that has no URL, so that no pipeline can take it. */
export function refusedUnread(refusal: Refusal, target: string): Response {
  const requestId = Bun.randomUUIDv7();
  const [path = target] = target.split("?", 1);
  return Response.json(refusal.toProblem(path, requestId), {
    status: refusal.status,
    headers: {
      ...refusal.options.headers,
      "content-type": problemMediaType,
      "cache-control": "no-store",
      "x-request-id": requestId,
    },
  });
}

/** HEAD has the Content-Length of GET; Bun would send 0 (RFC 9110, 8.6). */
function textResponse(
  exchange: Exchange,
  text: string,
  { status, headers }: { readonly status: number; readonly headers: Record<string, string> },
): Response {
  if (exchange.method === "HEAD") headers["content-length"] = String(Buffer.byteLength(text));
  return new Response(text, { status, headers });
}

function plainFields({ responseFields, requestId }: Exchange): Record<string, string> {
  const fields: Record<string, string> = {
    "x-content-type-options": "nosniff",
    [keyAnnouncement.name]: keyAnnouncement.value,
  };
  // A copy of all of them at once takes longer.
  for (const name in responseFields) fields[name] = responseFields[name] ?? "";
  fields["cache-control"] = "no-store";
  fields["x-request-id"] = requestId;
  return fields;
}

/** A handler's own response (bytes) gets the default fields that it lacks. */
function withFields(exchange: Exchange, response: Response): Response {
  const fields: Record<string, string> = {
    ...plainFields(exchange),
    // A browser must not run a stored file as a page of this platform.
    "content-security-policy": "sandbox; default-src 'none'",
  };
  for (const [name, value] of Object.entries(fields)) {
    if (!response.headers.has(name)) response.headers.set(name, value);
  }
  streamedResponses.add(response);
  return response;
}

function isEventSequence(given: unknown): given is EventSequence<unknown> {
  if (typeof given !== "object" || given === null || !("events" in given)) return false;
  const { events } = given;
  return typeof events === "object" && events !== null && Symbol.asyncIterator in events;
}
