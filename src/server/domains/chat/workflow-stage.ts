import { configurationTypes } from "#contract/access/configuration-types.ts";
import { defaultStage } from "#contract/documents/chat.ts";
import { Refusal } from "#contract/problems.ts";
import type { JsonObject } from "#contract/values.ts";
import { isJsonObject } from "#lib/json/value.ts";
import { isActive, type FoundRecord } from "../records/service.ts";

/** Finds records of the workspace of a question. */
export type FindRecords = (type: string, where: JsonObject) => Promise<readonly FoundRecord[]>;

/** An active workflow and one of its stages. */
export interface WorkflowStage {
  readonly workflow: JsonObject;
  /** The stage's own settings, where the workflow has any. */
  readonly stage: JsonObject | undefined;
}

/** Object Types that configure workflows, each with its key property (spec 2.9). */
const configurations = [
  [configurationTypes.workflow, "workflow_key"],
  [configurationTypes.workflow, "key"],
  [configurationTypes.binding, "workflow_key"],
] as const;

/** Refuses with 404 unless the workspace has an active workflow with this key and stage. */
export async function requireStage(
  findRecords: FindRecords,
  { workflowId, stage }: { readonly workflowId: string; readonly stage: string },
): Promise<WorkflowStage> {
  const found: FoundRecord[] = [];
  for (const [objectType, field] of configurations) {
    found.push(...(await findRecords(objectType, { [field]: workflowId })));
    const workflow = found.find(isActive);
    if (workflow === undefined) continue;
    const stages = stagesOf(workflow);
    const own = stages.get(stage);
    if (own !== undefined) return { workflow: workflow.data, stage: own };
    throw new Refusal("not-found", {
      detail:
        `The workflow ${JSON.stringify(workflowId)} has no stage ${JSON.stringify(stage)}: ` +
        `it has ${[...stages.keys()].join(", ")}`,
    });
  }
  const quoted = JSON.stringify(workflowId);
  throw new Refusal("not-found", {
    detail:
      found.length === 0
        ? `The workflow ${quoted} is not configured in this workspace`
        : `The workflow ${quoted} is not active in this workspace`,
  });
}

/** Maximum number of stages of one workflow; later ones are not looked at. */
const maximumStages = 100;

/** A workflow's stages by id; one that lists none has only the default stage. */
function stagesOf({ data }: FoundRecord): Map<string, JsonObject> {
  const listed: unknown = data["stages"];
  const stages = Array.isArray(listed) ? listed.slice(0, maximumStages) : [];
  const byId = new Map<string, JsonObject>();
  for (const stage of stages as unknown[]) {
    const id = isJsonObject(stage) ? stage["id"] : stage;
    if (typeof id !== "string" || id === "" || byId.has(id)) continue;
    byId.set(id, isJsonObject(stage) ? stage : { id });
  }
  return byId.size === 0 ? new Map([[defaultStage, { id: defaultStage }]]) : byId;
}
