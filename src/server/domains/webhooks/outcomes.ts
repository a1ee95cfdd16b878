import type { AttemptFailure } from "#contract/events/webhook-values.ts";
import { everySubject, type ChangeOperation } from "../../work/change-event.ts";
import type { Transaction } from "../../work/work.ts";
import type { FeedEvent } from "../feed/service.ts";
import { loggedAttempt } from "./attempts/attempt-log.ts";
import { updateDelivery, type DeliveryRecord } from "./delivery-store.ts";
import { pauseMs } from "./retries.ts";
import {
  noteDelivered,
  noteFailed,
  updateEndpoint,
  type EndpointRecord,
  type EndpointKey,
} from "./store.ts";

/** The outcome of one attempt. */
export interface Attempt {
  /** The status is null without an answer. */
  readonly status: number | null;
  readonly body: string | null;
  readonly error: string | null;
  /** The failure of an attempt without an answer; null with one. */
  readonly failure: AttemptFailure | null;
  readonly durationMs: number | null;
  readonly retryAfterMs: number | undefined;
}

const dayMs = 24 * 60 * 60 * 1000;
const deliveredKeptMs = 7 * dayMs;
const failedKeptMs = 30 * dayMs;
const gone = 410;
const endpointSetting = "webhook-endpoint";
/** Failed attempts in a row at which an endpoint raises an alert. */
const alertedFailures: ReadonlySet<number> = new Set([50, 100]);

/** Nothing was sent, because the role of the endpoint was lowered after the change. */
export const unreadable: Attempt = {
  status: null,
  body: null,
  error: "The role of the endpoint may no longer read this change",
  failure: "rights",
  durationMs: null,
  retryAfterMs: undefined,
};

/** True for an answer that accepts the delivery. */
export function isAccepted({ status }: Attempt): boolean {
  return status !== null && status >= 200 && status < 300;
}

/** Stores the outcome of an attempt: the delivery has ended, or gets the time of its next one. */
export async function settleAttempt(
  tx: Transaction,
  { delivery, attempt }: { readonly delivery: DeliveryRecord; readonly attempt: Attempt },
  { now, random }: { readonly now: Date; readonly random: number },
): Promise<void> {
  const { status } = attempt;
  const isDelivered = isAccepted(attempt);
  const attempts = Number(delivery.attempts) + 1;
  const pause =
    isDelivered || delivery.origin === "test" || attempt === unreadable
      ? undefined
      : pauseMs(attempts, { retryAfterMs: attempt.retryAfterMs, random });
  const after = (ms: number): string => new Date(now.getTime() + ms).toISOString();
  const ended = isDelivered ? "delivered" : "failed";
  const error = attempt.error ?? (isDelivered ? null : faultOf(status));
  const failure = isDelivered ? null : (attempt.failure ?? failureOf(status));
  const logged = loggedAttempt(attempts, {
    at: now.toISOString(),
    responseStatus: status,
    responseBody: attempt.body,
    failure,
    error,
    durationMs: attempt.durationMs,
  });
  const changes = {
    state: pause === undefined ? ended : "pending",
    attempts,
    next_at: pause === undefined ? null : after(pause),
    lease_until: null,
    response_status: status,
    response_body: attempt.body,
    error,
    duration_ms: attempt.durationMs,
    last_attempt_at: now.toISOString(),
    expires_at: pause === undefined ? after(isDelivered ? deliveredKeptMs : failedKeptMs) : null,
  };
  if (!(await updateDelivery(tx, delivery, { changes, logged })) || attempt === unreadable) return;
  await noteHealth(tx, delivery, { isDelivered, isGone: status === gone, at: now.toISOString() });
}

async function noteHealth(
  tx: Transaction,
  { workspace_id: workspaceId, endpoint_id: id }: DeliveryRecord,
  health: { readonly isDelivered: boolean; readonly isGone: boolean; readonly at: string },
): Promise<void> {
  const key = { workspace_id: workspaceId, id };
  if (health.isDelivered) {
    if (await noteDelivered(tx, key, health.at)) reportEndpoint(tx, key);
    return;
  }
  const failures = await noteFailed(tx, key, health.at);
  if (failures === 1) reportEndpoint(tx, key);
  if (health.isGone) {
    await updateEndpoint(tx, key, { state: "disabled", disabled_reason: "gone" });
  }
  if (health.isGone || alertedFailures.has(failures)) {
    reportTrouble(tx, key);
  }
}

/** The lane of a subject; events of many records have none. */
export function laneOf(subject: string): string | null {
  return subject === everySubject ? null : subject;
}

function failureOf(status: number | null): AttemptFailure {
  if (status === null) return "connection";
  return status >= 300 && status < 400 ? "redirect" : "status";
}

function faultOf(status: number | null): string {
  if (failureOf(status) === "redirect") return "Redirects are not followed";
  return `The endpoint answered ${status}`;
}

/** A new delivery, which is due now. */
export function newDelivery(
  endpoint: Pick<EndpointRecord, "workspace_id" | "id">,
  about: Pick<DeliveryRecord, "place" | "origin" | "event_id" | "event_type" | "subject" | "event">,
  now: Date,
): DeliveryRecord {
  const at = now.toISOString();
  return {
    workspace_id: endpoint.workspace_id,
    endpoint_id: endpoint.id,
    id: Bun.randomUUIDv7(),
    ...about,
    state: "pending",
    attempts: 0,
    next_at: at,
    lease_until: null,
    response_status: null,
    response_body: null,
    error: null,
    duration_ms: null,
    attempt_log: null,
    attempt_answers: null,
    last_attempt_at: null,
    expires_at: null,
    created_at: at,
  };
}

/**
 * Reports a change of an endpoint or of its health: that an attempt failed after one that did not,
 * or the reverse. No endpoint receives it, so that its delivery cannot cause the next one.
 */
export function reportEndpoint(
  tx: Transaction,
  { workspace_id: workspaceId, id }: EndpointKey,
  op: ChangeOperation = "updated",
): void {
  tx.event("setting", id, workspaceId, { op, type: endpointSetting });
}

/** True for a change that {@link reportEndpoint} has reported. */
export function isOfEndpoint({ kind, type }: Pick<FeedEvent, "kind" | "type">): boolean {
  return kind === "setting" && type === endpointSetting;
}

/**
 * Reports that an endpoint fails again and again, was disabled, or missed changes: rules of the
 * kind `endpoint` raise an alert of it.
 */
export function reportTrouble(
  tx: Transaction,
  { workspace_id: workspaceId, id }: EndpointKey,
): void {
  tx.event("alert", id, workspaceId, { op: "updated", type: "webhook-endpoint" });
}
