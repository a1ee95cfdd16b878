import type {
  ReceivedCall,
  SourceScheme,
  WebhookSource,
} from "#contract/events/webhook-sources.ts";
import * as z from "zod";
import { formerSecrets, lastGrace, type FormerSecret } from "../secrets/service.ts";
import type { ReceivedRow, SourceRecord, SourceRow } from "./store.ts";
import { storedRole } from "../../work/held-role.ts";

export function schemeOf({ scheme }: Pick<SourceRow, "scheme">): SourceScheme {
  // Only this domain writes the column, from this type.
  return JSON.parse(scheme) as SourceScheme;
}

/** A source as the API shows it, without its secrets. */
export function sourceAnswer(row: SourceRow, baseUrl: string, now: Date): WebhookSource {
  return {
    source: row.id,
    name: row.name,
    url: `${baseUrl}/v4/webhooks/${row.id}`,
    scheme: schemeOf(row),
    ...(row.role === null ? {} : { role: storedRole(row.role) }),
    mapping: row.mapping,
    status: isUsable(row) ? "active" : "disabled",
    keyId: row.key_id,
    rotatesUntil: lastGrace(formerOf(row, now)),
    created_by: row.created_by,
    created_at: row.created_at,
    updated_at: row.updated_at,
  };
}

/** The former secrets whose grace runs, sealed; the last one first. */
export function formerOf(row: SourceRecord, now: Date): FormerSecret[] {
  const { former_secret: secret, former_until: until, earlier_secrets: earlier } = row;
  const last = secret === null || until === null ? undefined : { secret, until };
  return formerSecrets(last, earlier, now);
}

/** True if calls are received: its key ends with the membership of the admin who made it. */
export function isUsable({ state, role }: Pick<SourceRow, "state" | "role">): boolean {
  return state === "active" && role !== null;
}

export function receivedAnswer(row: ReceivedRow): ReceivedCall {
  return {
    id: row.id,
    source: row.source_id,
    eventId: row.event_id,
    status: row.state,
    attempts: Number(row.attempts),
    error: row.error,
    effect: row.effect,
    subject: row.subject,
    size: Number(row.body_size),
    received_at: row.created_at,
    processed_at: row.processed_at,
    expiresAt: row.expires_at,
  };
}

const texts = z.record(z.string(), z.string());

export function headersOf({ headers }: { readonly headers: string }): Record<string, string> {
  return texts.parse(JSON.parse(headers));
}
