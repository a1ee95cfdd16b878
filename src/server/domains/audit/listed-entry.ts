import type { AuditEntry } from "#contract/workspaces/audit.ts";
import type { AuditRow } from "./store.ts";

/** An entry as its digest covers it. */
export function entryOf(row: AuditRow): AuditEntry {
  const changes = row.changes === null ? null : (JSON.parse(row.changes) as AuditEntry["changes"]);
  return {
    sequence: row.sequence,
    at: row.at,
    requestId: row.request_id,
    actor: row.actor,
    actorName: row.actor_name,
    action: row.action,
    outcome: row.outcome as AuditEntry["outcome"],
    status: row.status,
    code: row.code,
    method: row.method,
    path: row.path,
    address: row.address,
    changes: changes ?? null,
    digest: row.digest,
  };
}
