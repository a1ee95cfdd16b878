import { membersOf } from "#lib/json/value.ts";

/** Members that always have a workspace ID (spec, conventions). */
const markers = ["tenant_id", "tenantId", "tenant"] as const;
const workspaceId = /^(?:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9a-f]{32})$/i;

/** The fault of a record's workspace marker, which legacy records may omit (spec 4.7 rule 4). */
export function markerFault(record: unknown, tenantId: string): string | undefined {
  const members = membersOf(record) ?? new Map<string, unknown>();
  for (const name of markers) {
    const marker = members.get(name);
    if (marker === undefined && !members.has(name)) continue;
    if (typeof marker !== "string" || !workspaceId.test(marker)) {
      return "has a malformed workspace marker";
    }
    if (bare(marker) !== bare(tenantId)) return "belongs to another workspace";
  }
  return undefined;
}

function bare(id: string): string {
  return id.replaceAll("-", "").toLowerCase();
}
