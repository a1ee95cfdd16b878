import { catalogError } from "#contract/errors.ts";
import { maximumAnswerBytes } from "#contract/limits.ts";
import { BodyTooLargeError, readBoundedText } from "#lib/bounded-body.ts";
import { noteAbortOutcome } from "#lib/abort-outcome.ts";
import { TimeLimit } from "#lib/time-limit.ts";
import { parsedJson } from "#lib/json-value.ts";
import { checkReceipt, fittingValue, isSettled, readBody, readPart, unreadable } from "./answer.ts";
import { encodeCall, type CallDefaults, type LooseInput } from "./encode.ts";
import { bodyFailure } from "./connection.ts";
import { endMark, readEvents } from "./events.ts";
import type { KeptAnswers } from "./kept-answers.ts";
import type { Transport } from "./transport.ts";
import { isStreamed, type Outgoing } from "./outgoing.ts";
import { requireTimeLimitMs } from "./time-limit.ts";
import { readBack, type Call } from "./read-back.ts";
import type { ClientRoute } from "./route.ts";
import { subjectOf } from "./subject.ts";
import { unknownOutcome } from "./unreachable.ts";

export interface CallSettings extends CallDefaults {
  readonly transport: Transport;
  readonly timeoutMs: number;
  readonly kept?: KeptAnswers | undefined;
}

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
  route: ClientRoute,
  input: LooseInput,
  settings: CallSettings,
): Promise<unknown> {
  const outgoing = await encodeCall(route, input, settings, accepts[route.reply.type]);
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
    const reading = await readBody({ route, name: "reply", outgoing }, text, response);
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
  route: ClientRoute,
  input: LooseInput,
  settings: CallSettings,
): Promise<Response> {
  return await sendForHead(await encodeRaw(route, input, settings), input, settings);
}

async function encodeRaw(
  route: ClientRoute,
  input: LooseInput,
  settings: CallSettings,
): Promise<Outgoing> {
  const outgoing = await encodeCall(route, input, settings, accepts[route.reply.type]);
  if (route.reply.type === "bytes" && !outgoing.headers.has("accept-encoding")) {
    // Length, digest and ranges refer to the uncompressed bytes.
    outgoing.headers.set("accept-encoding", "identity");
  }
  return outgoing;
}

/** As `callRaw`, but throws the error of a response that is not a success. */
export async function callForSuccess(
  route: ClientRoute,
  input: LooseInput,
  settings: CallSettings,
): Promise<Response> {
  const outgoing = await encodeRaw(route, input, settings);
  const response = await sendForHead(outgoing, input, settings);
  if (response.ok) return response;
  throw await settings.transport.errorOf(
    response,
    subjectOf(route, input, settings.tenantId),
    outgoing,
  );
}

/**
 * A route's parsed events; unknown kinds are left out (`useChat` keeps them). A stream of a route
 * that replies with events throws E203 if it ends without `[DONE]`. A plain JSON response is one
 * event.
 */
export async function* callEvents(
  route: ClientRoute,
  input: LooseInput,
  settings: CallSettings,
): AsyncGenerator<unknown, void, undefined> {
  const isStream = route.reply.type === "events";
  const name = isStream ? "reply" : "events";
  if (!isStream && route.events === undefined) throw new TypeError(`${route.path} has no events`);
  const outgoing = await encodeCall(route, input, settings, accepts.events);
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
      const reading = await readBody({ route, name, outgoing }, text, response);
      yield fittingValue(reading, text, response.status, outgoing);
      return;
    }
    for await (const event of readEvents(response, { signal: input.signal })) {
      if (event.data === endMark) return;
      const reading = await readPart(route, name, parsedJson(event.data));
      if (reading.fits) yield reading.value;
    }
    if (isStream) throw catalogError("E203", { details: "the stream ended before its end mark" });
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
