import { Refusal } from "#contract/problems.ts";
import { isActive, type FoundRecord, type RecordLookup } from "../records/service.ts";

/** Object Types that configure workflows, each with its key property (spec 2.9). */
const configurations = [
  ["shared-workflow-config", "workflow_key"],
  ["shared-workflow-config", "key"],
  ["vertical-product-config", "workflow_key"],
] as const;

/** Refuses with 404 unless the workspace has an active workflow with this key. */
export async function requireWorkflow(
  records: RecordLookup,
  workspaceId: string,
  workflowId: string,
): Promise<void> {
  const found: FoundRecord[] = [];
  for (const [objectType, field] of configurations) {
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
