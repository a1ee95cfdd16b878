import type { Transaction } from "../../work/work.ts";
import type { EndpointKey } from "./store.ts";

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
