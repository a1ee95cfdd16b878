import type {
  WebhookDelivery,
  WebhookDeliveryDetails,
  WebhookEndpoint,
} from "#contract/events/webhooks.ts";
import type { JsonObject } from "#contract/values.ts";
import { lastGrace } from "../secrets/service.ts";
import { attemptsOf } from "./attempts/attempt-log.ts";
import type { DeliveryRecord } from "./delivery-store.ts";
import { formerPairs } from "./signing/endpoint-secrets.ts";
import type { EndpointRecord } from "./store.ts";
import { storedRole } from "../../work/held-role.ts";

/** The events that an endpoint receives; null means all. */
export interface EndpointFilter {
  readonly kinds: string[] | null;
  readonly types: string[] | null;
  readonly where: JsonObject | null;
  /** The alert rules whose alerts are sent, and nothing else. */
  readonly rules: string[] | null;
}

type FilterColumns = Pick<EndpointRecord, "kinds" | "types" | "where_filter" | "rules">;

export function filterOf(row: FilterColumns): EndpointFilter {
  // Only this domain writes the columns, from these types.
  return {
    kinds: row.kinds === null ? null : (JSON.parse(row.kinds) as string[]),
    types: row.types === null ? null : (JSON.parse(row.types) as string[]),
    where: row.where_filter === null ? null : (JSON.parse(row.where_filter) as JsonObject),
    rules: row.rules === null ? null : (JSON.parse(row.rules) as string[]),
  };
}

export function filterColumns({ kinds, types, where, rules }: EndpointFilter): FilterColumns {
  const text = (value: unknown): string | null => (value === null ? null : JSON.stringify(value));
  return {
    kinds: text(kinds),
    types: text(types),
    where_filter: text(where),
    rules: text(rules),
  };
}

export function endpointOf(row: EndpointRecord, now: Date): WebhookEndpoint {
  return {
    id: row.id,
    url: row.url,
    description: row.description,
    ...filterOf(row),
    body: row.body,
    role: storedRole(row.role),
    ordered: Number(row.is_ordered) === 1,
    status: row.state,
    disabledReason: row.disabled_reason,
    consecutiveFailures: Number(row.failures),
    lastDeliveredAt: row.last_delivered_at,
    lastFailedAt: row.last_failed_at,
    publicKey: row.public_key,
    rotatesUntil: lastGrace(formerPairs(row, now)),
    expiresAt: row.expires_at,
    created_by: row.created_by,
    created_at: row.created_at,
    updated_at: row.updated_at,
  };
}

export function deliveryOf(row: DeliveryRecord): WebhookDelivery {
  const numberOrNull = (value: number | null): number | null =>
    value === null ? null : Number(value);
  return {
    id: row.id,
    endpointId: row.endpoint_id,
    eventId: row.event_id,
    type: row.event_type,
    subject: row.subject,
    status: row.state,
    origin: row.origin,
    attempts: Number(row.attempts),
    nextAttemptAt: row.next_at,
    responseStatus: numberOrNull(row.response_status),
    responseBody: row.response_body,
    error: row.error,
    durationMs: numberOrNull(row.duration_ms),
    created_at: row.created_at,
    lastAttemptAt: row.last_attempt_at,
    expiresAt: row.expires_at,
  };
}

export function deliveryDetailsOf(row: DeliveryRecord): WebhookDeliveryDetails {
  return { ...deliveryOf(row), attemptLog: attemptsOf(row) };
}
