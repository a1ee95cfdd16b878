import type * as z from "zod";
import { catalogError, type CatalogError } from "#contract/errors.ts";
import type { RouteDefinition } from "#contract/route.ts";
import { maximumAnswerBytes } from "#contract/limits.ts";
import { BodyTooLargeError, readBoundedText } from "#lib/bounded-body.ts";
import { noteAbortOutcome } from "#lib/abort-outcome.ts";
import { TimeLimit } from "#lib/time-limit.ts";
import { isTooDeep, nestsTooDeep } from "#lib/json-depth.ts";
import { membersOf, parsedJson } from "#lib/json-value.ts";
import { encodeCall, type CallDefaults, type LooseInput } from "./encode.ts";
import { bodyFailure } from "./connection.ts";
import { endMark, readEvents } from "./events.ts";
import type { KeptAnswers } from "./kept-answers.ts";
import type { PlainRead } from "./plain-reads.ts";
import type { Transport } from "./transport.ts";
import { isStreamed, type Outgoing } from "./outgoing.ts";
import { requireTimeLimitMs } from "./time-limit.ts";
import { readBack, type Call } from "./read-back.ts";
import { readNothing } from "./no-body.ts";
import { readAnswer, type Reading } from "./reading.ts";
import { subjectOf } from "./subject.ts";
import { unknownOutcome } from "./unreachable.ts";

export interface CallSettings extends CallDefaults {
  readonly transport: Transport;
  readonly timeoutMs: number;
  readonly kept?: KeptAnswers | undefined;
}

/** After decompression. */

/** Longest time in which a connection accepts no bytes of an upload. */
const stalledUploadMs = 60_000;
/** From the last byte of an upload to the head of the response. */
const uploadAnswerMs = 120_000;

const accepts = {
  json: "application/json, application/problem+json",
  events: "text/event-stream, application/problem+json",
  bytes: "*/*",
  empty: "application/json, application/problem+json",
} as const;

/** Calls a JSON or empty route; returns the parsed body. */
export async function callRoute(
  route: RouteDefinition,
  input: LooseInput,
  settings: CallSettings,
): Promise<unknown> {
  const outgoing = encodeCall(route, input, settings, accepts[route.reply.type]);
  const kept = settings.kept?.condition(route, outgoing);
  const limit = openLimit(outgoing, input, settings);
  try {
    const response = await settings.transport.send(outgoing, limit);
    if (response.status === 304 && kept !== undefined) {
      await response.body?.cancel();
      return kept.value;
    }
    if (!response.ok) {
      throw await settings.transport.errorOf(
        response,
        subjectOf(route, input, settings.tenantId),
        outgoing,
      );
    }
    const text = await answerText(response, limit, settings, outgoing);
    if (route.reply.type !== "json") {
      checkReceipt(text, response.status, outgoing);
      return undefined;
    }
    const { schema } = route.reply;
    const reading = readReply(schema, text, response, outgoing);
    if (!reading.fits) {
      const call: Call = async (other, given) => await callRoute(other, given, settings);
      const written = isSettled(text) ? await readBack(route, input, text, call) : undefined;
      if (written !== undefined) return written;
    }
    const value = fittingValue(reading, text, response.status, outgoing);
    const tag = response.headers.get("etag") ?? "";
    settings.kept?.keep(route, outgoing, { tag, value, size: text.length });
    return value;
  } finally {
    limit.close();
  }
}

/** A read in the plainest form; an answer in another form is read by the route's schema. */
export async function callPlain(
  { outgoing, fits }: PlainRead,
  input: LooseInput,
  settings: CallSettings,
  find: () => Promise<RouteDefinition>,
): Promise<unknown> {
  const limit = openLimit(outgoing, input, settings);
  try {
    const response = await settings.transport.send(outgoing, limit);
    if (!response.ok) {
      const subject = subjectOf({ method: "GET", path: outgoing.route }, input, settings.tenantId);
      throw await settings.transport.errorOf(response, subject, outgoing);
    }
    const text = await answerText(response, limit, settings, outgoing);
    const answer = parsedJson(text);
    if (fits(answer)) return answer;
    const { reply } = await find();
    if (reply.type !== "json") throw new TypeError(`${outgoing.route} has no JSON reply`);
    const reading = readReply(reply.schema, text, response, outgoing);
    return fittingValue(reading, text, response.status, outgoing);
  } finally {
    limit.close();
  }
}

async function answerText(
  response: Response,
  limit: TimeLimit,
  settings: CallSettings,
  outgoing: Outgoing,
): Promise<string> {
  return await readBoundedText(response, maximumAnswerBytes).catch((error: unknown) => {
    if (error instanceof BodyTooLargeError) {
      throw unreadable("the response is larger than 64 MiB", response.status, outgoing);
    }
    if (limit.signal.aborted && !limit.expired) {
      noteAbortOutcome(limit.signal.reason, unknownOutcome(outgoing));
      limit.signal.throwIfAborted();
    }
    throw settings.transport.interrupted(error, limit, outgoing);
  });
}

/** Returns the unread response with any status; the timeout ends with its head. */
export async function callRaw(
  route: RouteDefinition,
  input: LooseInput,
  settings: CallSettings,
): Promise<Response> {
  return await sendForHead(encodeRaw(route, input, settings), input, settings);
}

function encodeRaw(route: RouteDefinition, input: LooseInput, settings: CallSettings): Outgoing {
  const outgoing = encodeCall(route, input, settings, accepts[route.reply.type]);
  if (route.reply.type === "bytes" && !outgoing.headers.has("accept-encoding")) {
    // Length, digest and ranges refer to the uncompressed bytes.
    outgoing.headers.set("accept-encoding", "identity");
  }
  return outgoing;
}

/** As `callRaw`, but throws the error of a response that is not a success. */
export async function callForSuccess(
  route: RouteDefinition,
  input: LooseInput,
  settings: CallSettings,
): Promise<Response> {
  const outgoing = encodeRaw(route, input, settings);
  const response = await sendForHead(outgoing, input, settings);
  if (response.ok) return response;
  throw await settings.transport.errorOf(
    response,
    subjectOf(route, input, settings.tenantId),
    outgoing,
  );
}

/**
 * A route's parsed events; unknown kinds are left out (`useChat` keeps them). With `endMarked`, a
 * stream without `[DONE]` throws E203 after its last event. A plain JSON response is one event.
 */
export async function* callEvents(
  route: RouteDefinition,
  schema: z.ZodType,
  input: LooseInput,
  settings: CallSettings,
  endMarked: boolean,
): AsyncGenerator<unknown, void, undefined> {
  const outgoing = encodeCall(route, input, settings, accepts.events);
  const limit = openLimit(outgoing, input, settings);
  try {
    const response = await settings.transport.send(outgoing, limit);
    limit.stopClock();
    if (!response.ok) {
      throw await settings.transport.errorOf(
        response,
        subjectOf(route, input, settings.tenantId),
        outgoing,
      );
    }
    if (!/^text\/event-stream/i.test(response.headers.get("content-type") ?? "")) {
      const limits = { limitMs: settings.timeoutMs };
      const text = await readBoundedText(response, maximumAnswerBytes, limits).catch(
        (error: unknown) => {
          input.signal?.throwIfAborted();
          throw unreadable(
            `the response can't be read: ${bodyFailure(error)}`,
            response.status,
            outgoing,
          );
        },
      );
      const reading = readReply(schema, text, response, outgoing);
      yield fittingValue(reading, text, response.status, outgoing);
      return;
    }
    for await (const event of readEvents(response, { signal: input.signal })) {
      if (event.data === endMark) return;
      const reading = readAnswer(schema, parsedJson(event.data));
      if (reading.fits) yield reading.value;
    }
    if (endMarked) throw catalogError("E203", { details: "the stream ended before its end mark" });
  } finally {
    limit.close();
  }
}

/** Sends a request; the timeout ends with the response's head, the signal covers the body. */
export async function sendForHead(
  outgoing: Outgoing,
  input: LooseInput,
  settings: CallSettings,
): Promise<Response> {
  const limit = openLimit(outgoing, input, settings);
  try {
    return await settings.transport.send(outgoing, limit);
  } catch (error) {
    limit.close();
    throw error;
  } finally {
    limit.stopClock();
  }
}

function openLimit(outgoing: Outgoing, input: LooseInput, settings: CallSettings): TimeLimit {
  if (input.timeoutMs !== undefined) {
    return new TimeLimit(requireTimeLimitMs(input.timeoutMs), input.signal);
  }
  const { body } = outgoing;
  if (!isStreamed(body)) return new TimeLimit(settings.timeoutMs, input.signal);
  // The duration of an upload is unknown, so the limit restarts with each sent chunk.
  const limit = new TimeLimit(stalledUploadMs, input.signal);
  body.onActivity = () => limit.restart(body.allSent ? uploadAnswerMs : stalledUploadMs);
  return limit;
}

/** Reads a body; the specification names few of them, so it may be empty or plain text. */
function readReply(
  schema: z.ZodType,
  text: string,
  response: Pick<Response, "status" | "headers">,
  outgoing: Outgoing,
): Reading<unknown> {
  const { status, headers } = response;
  // The status alone answers whether a platform is well.
  const needsBody = outgoing.asks && (outgoing.signedIn || status !== 204);
  if (text === "" && !needsBody) return readNothing(schema);
  const isText = /^text\/plain\b/i.test(headers.get("content-type") ?? "");
  if (isText && parsedJson(text) === undefined) {
    // A text that no member of the answer needs does not prove that a write was done.
    const proves = outgoing.asks || !readAnswer(schema, {}).fits;
    if (proves) return readAnswer(schema, { text });
  }
  return readAnswer(schema, jsonOf(text, status, outgoing));
}

/** Whether a write that is answered like this has settled: no body, or a JSON object. */
function isSettled(text: string): boolean {
  return text === "" || membersOf(parsedJson(text)) !== undefined;
}

function fittingValue(
  reading: Reading<unknown>,
  text: string,
  status: number,
  outgoing: Outgoing,
): unknown {
  if (reading.fits) return reading.value;
  const place = reading.path.map((step) => `/${step}`).join("");
  const details =
    text === ""
      ? "the response has no body"
      : `the response does not match the interface at #${place.slice(0, 200)}`;
  throw unreadable(details, status, outgoing);
}

function jsonOf(text: string, status: number, outgoing: Outgoing): unknown {
  const value = parsedJson(text);
  if (value !== undefined) return value;
  const why = isTooDeep(text) ? nestsTooDeep : "is not JSON";
  throw unreadable(`the response ${why}`, status, outgoing);
}

/**
 * Checks the success of a route without a reply. A deployment may return a JSON receipt, or `null`
 * or a text as the result of its handler; other bodies, e.g. a web page, come from another server.
 */
function checkReceipt(text: string, status: number, outgoing: Outgoing): void {
  const value = text.trim() === "" ? undefined : jsonOf(text, status, outgoing);
  if (value === false || typeof value === "number") {
    throw unreadable("the response is not a receipt", status, outgoing);
  }
  const receipt = membersOf(value);
  const denied = ["success", "deleted", "complete"].find((name) => receipt?.get(name) === false);
  if (denied === undefined) return;
  throw unreadable(`the response has ${JSON.stringify(denied)}: false`, status, outgoing);
}

/** E203 for a successful response that can't be read; the request may have had its effect. */
function unreadable(details: string, status: number, outgoing: Outgoing): CatalogError {
  return catalogError("E203", { details }, { status, hint: unknownOutcome(outgoing) });
}
