import type {
  DeliveryAttempt,
  WebhookDelivery,
  WebhookDeliveryDetails,
  WebhookEndpoint,
} from "#contract/events/webhooks.ts";
import type {
  ReceivedCall,
  ReceivedCallDetails,
  WebhookSource,
} from "#contract/events/webhook-sources.ts";
import { counted } from "#lib/text/counted.ts";
import { fieldLines, jsonLines, textLines, type StyledLine } from "../kit/text/styled-lines.ts";
import { ageWords, countWords, distanceWords, sizeWords } from "../kit/text/words.ts";
import { statusLook } from "../kit/theme/theme.ts";

/** The longest part of a received body that is drawn. */
const maximumBody = 20_000;

interface Area {
  readonly width: number;
  readonly nowMs: number;
}

export function endpointName(endpoint: WebhookEndpoint): string {
  const { url, description = "", id } = endpoint;
  const kind = isTemporary(endpoint) ? "temporary" : "imported";
  return url ?? (description === "" ? `${kind} ${id}` : description);
}

/** True if a command pulls the deliveries; an imported endpoint has no URL either. */
export function isTemporary({ url, expiresAt }: WebhookEndpoint): boolean {
  return url === null && Boolean(expiresAt);
}

export function sourceName({ name, source }: WebhookSource): string {
  return name ?? source;
}

export function roleName(role: string | undefined): string {
  return (role ?? "").replace("tenant-", "");
}

export function endpointEvents({ kinds, types, rules }: WebhookEndpoint): string {
  if (rules) return `alerts of ${counted(rules.length, "rule")}`;
  const parts = [kinds?.join(", "), types?.join(", ")].filter((part) => part !== undefined);
  return parts.length === 0 ? "all" : parts.join(" of ");
}

/** The health of an endpoint as text: its status while nothing has failed. */
export function endpointState(endpoint: WebhookEndpoint): string {
  const { status = "", disabledReason, consecutiveFailures = 0 } = endpoint;
  if (disabledReason) return `${status}: ${disabledReason}`;
  if (consecutiveFailures === 0) return status;
  return `${counted(consecutiveFailures, "failure")} in a row`;
}

function noAddress(endpoint: WebhookEndpoint): string {
  return isTemporary(endpoint) ? "none: a command pulls its deliveries" : "none yet: edit it";
}

function whenWords(at: string | null | undefined, nowMs: number, none: string): string {
  if (at === undefined || at === null || at === "") return none;
  return `${distanceWords(at, nowMs)} · ${at}`;
}

export function endpointLines(endpoint: WebhookEndpoint, { width, nowMs }: Area): StyledLine[] {
  const { description = "", where, publicKey = "", rotatesUntil, expiresAt } = endpoint;
  const isWell = endpointState(endpoint) === "active";
  const { glyph } = statusLook(isWell ? "active" : "degraded");
  return fieldLines(
    [
      { name: "url", value: endpoint.url ?? noAddress(endpoint) },
      ...(description === "" ? [] : [{ name: "purpose", value: description }]),
      {
        name: "health",
        value: `${glyph} ${endpointState(endpoint)}`,
        as: isWell ? "good" : "warn",
      },
      { name: "last delivered", value: whenWords(endpoint.lastDeliveredAt, nowMs, "never") },
      { name: "last failed", value: whenWords(endpoint.lastFailedAt, nowMs, "never") },
      { name: "events", value: endpointEvents(endpoint) },
      ...(where ? [{ name: "filter", value: JSON.stringify(where) }] : []),
      { name: "body", value: endpoint.body ?? "" },
      { name: "reads as", value: roleName(endpoint.role) },
      { name: "order", value: endpoint.ordered === true ? "kept for each record" : "none" },
      { name: "public key", value: publicKey },
      ...(rotatesUntil
        ? [{ name: "former secret", value: `until ${whenWords(rotatesUntil, nowMs, "")}` }]
        : []),
      ...(expiresAt ? [{ name: "ends", value: whenWords(expiresAt, nowMs, "") }] : []),
      { name: "created", value: whenWords(endpoint.created_at, nowMs, "") },
      { name: "id", value: endpoint.id },
    ],
    width,
  );
}

/** The answer to a delivery: the receiver's status, or why there was none. */
export function deliveryAnswer({ responseStatus, error }: WebhookDelivery): string {
  return error ?? (typeof responseStatus === "number" ? String(responseStatus) : "no answer yet");
}

/** The attempts that are not the last one, each with the beginning of its answer. */
function attemptLines(attempts: readonly DeliveryAttempt[], { width, nowMs }: Area): StyledLine[] {
  return attempts.flatMap((attempt, at): StyledLine[] => {
    const { responseStatus, error, durationMs, failure, responseBody } = attempt;
    const took = typeof durationMs === "number" ? `${countWords(durationMs)} ms` : undefined;
    const answer = error ?? String(responseStatus ?? "");
    const words = [failure, answer, took].filter(Boolean).join(" · ");
    const isWell = failure === null || failure === undefined;
    const value = `${words} · ${whenWords(attempt.at, nowMs, "")}`;
    const field = { name: `attempt ${at + 1}`, value, as: isWell ? undefined : ("bad" as const) };
    const isLast = at === attempts.length - 1;
    return [
      ...fieldLines([field], width),
      ...(responseBody && !isLast ? textLines(responseBody, width) : []),
    ];
  });
}

export function deliveryLines(
  delivery: WebhookDeliveryDetails,
  { width, nowMs }: Area,
): StyledLine[] {
  const { status = "", attempts = 0, responseBody, error, durationMs } = delivery;
  const { glyph, token } = statusLook(status);
  const outcome = [
    { name: "event", value: delivery.type ?? "" },
    { name: "subject", value: delivery.subject ?? "" },
    { name: "state", value: `${glyph} ${status}`, as: token },
    { name: "attempts", value: countWords(attempts) },
    { name: "last attempt", value: whenWords(delivery.lastAttemptAt, nowMs, "none yet") },
    { name: "next attempt", value: whenWords(delivery.nextAttemptAt, nowMs, "none") },
    { name: "answer", value: deliveryAnswer(delivery), as: error ? ("bad" as const) : undefined },
    ...(typeof durationMs === "number"
      ? [{ name: "took", value: `${countWords(durationMs)} ms` }]
      : []),
  ];
  const origin = [
    { name: "origin", value: delivery.origin ?? "" },
    { name: "event id", value: delivery.eventId ?? "" },
    { name: "made", value: whenWords(delivery.created_at, nowMs, "") },
    { name: "kept until", value: whenWords(delivery.expiresAt, nowMs, "its end is known") },
  ];
  const head: StyledLine = [{ text: "The first 2 KiB of the answer:", as: "quiet" }];
  const body = responseBody ? [[], head, ...textLines(responseBody, width)] : [];
  const log = attemptLines(delivery.attemptLog ?? [], { width, nowMs });
  const tries = log.length === 0 ? [] : [[], ...log];
  return [...fieldLines(outcome, width), ...body, ...tries, [], ...fieldLines(origin, width)];
}

export function schemeWords({ scheme }: WebhookSource): string {
  const words: Readonly<Record<string, string>> = {
    standard: "Standard Webhooks",
    hmac: "HMAC, as GitHub's",
    timestamped: "time and HMAC, as Stripe's",
    token: "token",
  };
  return scheme === undefined ? "" : (words[scheme.type] ?? scheme.type);
}

export function sourceLines(source: WebhookSource, { width, nowMs }: Area): StyledLine[] {
  const { status = "", scheme, mapping = "empty", rotatesUntil } = source;
  const { glyph, token } = statusLook(status);
  const { type: _, ...settings } = scheme ?? { type: "" };
  const fields = fieldLines(
    [
      { name: "url", value: source.url ?? source.source },
      { name: "state", value: `${glyph} ${status}`, as: token },
      { name: "scheme", value: schemeWords(source) },
      ...Object.entries(settings).map(([name, value]) => ({ name, value: String(value) })),
      { name: "acts as", value: roleName(source.role) },
      { name: "key in the audit", value: source.keyId ?? "" },
      ...(rotatesUntil
        ? [{ name: "former secret", value: `until ${whenWords(rotatesUntil, nowMs, "")}` }]
        : []),
      { name: "created", value: whenWords(source.created_at, nowMs, "") },
    ],
    width,
  );
  const head: StyledLine = [{ text: "The mapping, in jq:", as: "quiet" }];
  return [...fields, [], head, ...textLines(mapping, width)];
}

/** The effect of a received call, or why it has none. */
export function callEffect({ effect, error, status = "" }: ReceivedCall): string {
  if (error) return error;
  return effect ?? (status === "skipped" ? "none" : "");
}

function bodyLines(body: string, width: number): StyledLine[] {
  const left = body.length - maximumBody;
  const lines = textLines(body.slice(0, maximumBody), width);
  if (left <= 0) return lines;
  return [...lines, [{ text: `… ${counted(left, "character")} more`, as: "quiet" }]];
}

export function callLines(
  call: ReceivedCall,
  { width, nowMs, value }: Area & { readonly value?: ReceivedCallDetails | undefined },
): StyledLine[] {
  const { status = "", error, size = 0 } = call;
  const { glyph, token } = statusLook(status);
  const fields = fieldLines(
    [
      { name: "state", value: `${glyph} ${status}`, as: token },
      { name: "effect", value: callEffect(call), as: error ? "bad" : undefined },
      { name: "subject", value: call.subject ?? "" },
      { name: "attempts", value: countWords(call.attempts ?? 0) },
      { name: "received", value: whenWords(call.received_at, nowMs, "") },
      { name: "processed", value: whenWords(call.processed_at, nowMs, "not yet") },
      { name: "id of the sender", value: call.eventId ?? "" },
      { name: "size", value: sizeWords(size) },
      { name: "kept until", value: whenWords(call.expiresAt, nowMs, "") },
      { name: "id", value: call.id },
    ],
    width,
  );
  if (value === undefined) return fields;
  const head = (text: string): StyledLine => [{ text, as: "quiet" }];
  const { body, headers = {} } = value;
  return [
    ...fields,
    [],
    head("The body:"),
    ...(typeof body === "string" ? bodyLines(body, width) : [head("not kept, or not text")]),
    [],
    head("The header fields:"),
    ...jsonLines(headers, width),
  ];
}

export function ageOf(at: string | null | undefined, nowMs: number): string {
  return ageWords(at, nowMs) || "never";
}
