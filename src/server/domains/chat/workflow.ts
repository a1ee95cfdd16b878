import { Refusal } from "#contract/problems.ts";
import { isActive, type FoundRecord, type RecordLookup } from "../records/service.ts";

/** Where a workflow may be configured, and by which field of the record (spec 2.9). */
const places = [
  ["shared-workflow-config", "workflow_key"],
  ["shared-workflow-config", "key"],
  ["vertical-product-config", "workflow_key"],
] as const;

/**
 * Refuses 404 unless the workspace has an active workflow with this key: in its workflow
 * configuration, or bound to an app.
 */
export async function requireWorkflow(
  records: RecordLookup,
  workspaceId: string,
  workflowId: string,
): Promise<void> {
  const found: FoundRecord[] = [];
  for (const [objectType, field] of places) {
    found.push(...(await records.findRecords(workspaceId, objectType, { [field]: workflowId })));
    if (found.some(isActive)) return;
  }
  const quoted = JSON.stringify(workflowId);
  throw new Refusal("not-found", {
    detail:
      found.length === 0
        ? `The workflow ${quoted} is not configured in this workspace`
        : `The workflow ${quoted} is not active in this workspace`,
  });
}
