import type { AuditEntry } from "#client/index.ts";
import type { LiveList } from "../kit/lists/live-list.ts";
import { useList } from "../shell/platform/use-list.ts";

const outcomes = ["done", "refused", "failed"] as const;
const keyOf = ({ sequence }: AuditEntry) => String(sequence);

/** The filter as a query: an outcome such as `refused`, else a route such as `members.*`. */
export function auditQuery(filter: string) {
  const outcome = outcomes.find((known) => known === filter);
  if (outcome !== undefined) return { outcome };
  return filter === "" ? {} : { action: filter };
}

/** The changes and refused tries of the workspace, the newest first. */
export function useAudit(filter: string, height: number): LiveList<AuditEntry> {
  return useList<AuditEntry>(
    ["audit.list", filter],
    (client, { page, cursor, limit, count, signal }, tenantId) =>
      client.audit.list({
        tenantId,
        signal,
        query: { page, cursor, limit, ...(count ? { count } : {}), ...auditQuery(filter) },
      }),
    { keyOf, height },
  );
}
