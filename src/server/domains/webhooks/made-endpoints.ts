import { roleIncludes, type Role } from "#contract/access/roles.ts";
import type { Transaction } from "../../work/work.ts";
import { activeEndpointsOf, updateEndpoint } from "./store.ts";
import { reportEndpoint, reportTrouble } from "./outcomes.ts";
import { storedRole } from "../../work/held-role.ts";

interface Maker {
  readonly workspace_id: string;
  readonly oid: string;
}

/** An endpoint that a removed member made. */
export type SettledEndpoint = {
  readonly endpointId: string;
  readonly status: "disabled" | "kept";
};

/** Disables or keeps the active endpoints that a removed member made, and returns them. */
export async function settleMadeEndpoints(
  tx: Transaction,
  { workspace_id: workspaceId, oid }: Maker,
  { keeps, at }: { readonly keeps: boolean; readonly at: Date },
): Promise<SettledEndpoint[]> {
  const made = await activeEndpointsOf(tx, workspaceId, oid);
  const changes = {
    state: "disabled",
    disabled_reason: "maker-removed",
    updated_at: at.toISOString(),
  };
  for (const endpoint of keeps ? [] : made) {
    await updateEndpoint(tx, endpoint, changes);
    reportTrouble(tx, endpoint);
  }
  return made.map(({ id }) => ({ endpointId: id, status: keeps ? "kept" : "disabled" }));
}

/** Gives the endpoints of a demoted member the member's new role, if theirs is higher. */
export async function lowerMadeEndpoints(
  tx: Transaction,
  { workspace_id: workspaceId, oid }: Maker,
  { role, at }: { readonly role: Role; readonly at: Date },
): Promise<void> {
  for (const endpoint of await activeEndpointsOf(tx, workspaceId, oid)) {
    if (roleIncludes(role, storedRole(endpoint.role))) continue;
    await updateEndpoint(tx, endpoint, { role, updated_at: at.toISOString() });
    reportEndpoint(tx, endpoint);
  }
}
