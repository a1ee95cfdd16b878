import { catalogError, type CatalogError } from "#contract/errors.ts";
import { maximumAnswerBytes } from "#contract/limits.ts";
import { BodyTooLargeError, readBoundedText } from "#lib/network/bounded-body.ts";
import { noteAbortOutcome } from "#lib/time/abort-outcome.ts";
import { TimeLimit } from "#lib/time/time-limit.ts";
import { parsedJson } from "#lib/json/value.ts";
import { plainAnswer } from "./answer/answer.ts";
import { encodeCall, type CallDefaults, type LooseInput } from "./request/encode.ts";
import type { KeptAnswers } from "./transport/kept-answers.ts";
import type { Call } from "./answer/other-answers.ts";
import type { Transport } from "./transport/transport.ts";
import { isStreamed, type Outgoing } from "./transport/outgoing.ts";
import { unclear } from "./answer/plain-value.ts";
import { requireTimeLimitMs } from "./transport/time-limit.ts";
import type { ClientRoute } from "./route.ts";

export interface CallSettings extends CallDefaults {
  readonly transport: Transport;
  readonly timeoutMs: number;
  readonly kept?: KeptAnswers | undefined;
}

/** Longest time in which a connection accepts no bytes of an upload. */
const stalledUploadMs = 60_000;
/** Longest wait from the last byte of an upload to the head of the response. */
const uploadAnswerMs = 120_000;

export const accepts = {
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
    if (!response.ok) throw await refusal(response, route, input, settings, outgoing);
    const text = await answerText(response, limit, settings, outgoing);
    let value = plainBody(route, text);
    if (value === unclear) {
      const { otherAnswer } = await import("./answer/other-answers.ts");
      const call: Call = async (other, more) => await callRoute(other, more, settings);
      value = await otherAnswer(route, { input, outgoing, call }, text, response);
    }
    const tag = response.headers.get("etag") ?? "";
    settings.kept?.keep(route, outgoing, { tag, value, size: text.length });
    return value;
  } finally {
    limit.close();
  }
}

/** The value of a body that is as the contract says. */
function plainBody(route: ClientRoute, text: string): unknown {
  if (route.reply.type === "json") return plainAnswer(route, "reply", parsedJson(text));
  return text === "" ? undefined : unclear;
}

async function answerText(
  response: Response,
  limit: TimeLimit,
  settings: CallSettings,
  outgoing: Outgoing,
): Promise<string> {
  try {
    return await readBoundedText(response, maximumAnswerBytes);
  } catch (error) {
    const { unknownOutcome } = await import("./transport/unreachable.ts");
    const hint = unknownOutcome(outgoing);
    if (error instanceof BodyTooLargeError) {
      const details = "the response is larger than 64 MiB";
      throw catalogError("E203", { details }, { status: response.status, hint });
    }
    if (limit.signal.aborted && !limit.expired) {
      noteAbortOutcome(limit.signal.reason, hint);
      limit.signal.throwIfAborted();
    }
    throw await settings.transport.interrupted(error, limit, outgoing);
  }
}

/** The error of a response that is not a success. */
export async function refusal(
  response: Response,
  route: ClientRoute,
  input: LooseInput,
  { transport, tenantId }: CallSettings,
  outgoing: Outgoing,
): Promise<CatalogError> {
  const { subjectOf } = await import("./subject.ts");
  return await transport.errorOf(response, subjectOf(route, input, tenantId), outgoing);
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

/** Returns the unread response of a success; throws the error of any other response. */
export async function callForSuccess(
  route: ClientRoute,
  input: LooseInput,
  settings: CallSettings,
): Promise<Response> {
  const outgoing = await encodeRaw(route, input, settings);
  const response = await sendForHead(outgoing, input, settings);
  if (response.ok) return response;
  throw await refusal(response, route, input, settings, outgoing);
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

export function openLimit(
  outgoing: Outgoing,
  input: LooseInput,
  settings: CallSettings,
): TimeLimit {
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
