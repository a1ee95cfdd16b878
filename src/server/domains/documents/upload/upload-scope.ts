import { configurationTypes } from "#contract/access/configuration-types.ts";
import { documentLifecycles } from "#contract/documents/lifecycles.ts";
import type { DocumentLifecycle } from "#contract/documents/lifecycles.ts";
import type { UploadFields } from "#contract/documents/upload.ts";
import type { ProcessingMode } from "#contract/documents/upload-metadata.ts";
import { pointer, Refusal } from "#contract/problems.ts";
import type { JsonObject } from "#contract/values.ts";
import type { DocumentContext } from "../store/document-row.ts";
import { given } from "#lib/given.ts";
import { isJsonObject } from "#lib/json/value.ts";
import { isActive, type FoundRecord, type RecordLookup } from "../../records/service.ts";
import type { WorkflowGate } from "../../workflow-gate.ts";
import type { Work } from "../../../work/work.ts";

export interface UploadScope {
  readonly context: DocumentContext;
  readonly lifecycle: DocumentLifecycle;
  /** The same bytes under the same key are the same document. */
  readonly key: string;
}

const parentTypes = {
  planning_application_id: "planning-application",
  business_request_id: "business-request",
} as const;

/** Processing modes that a lifecycle does not support (spec part 3). */
const unsupportedModes: Readonly<Record<DocumentLifecycle, readonly ProcessingMode[]>> = {
  "planning-assist-v1": [],
  "planning-assess-v1": [],
  "business-document-v1": ["full", "rag"],
};

/**
 * Checks the context against the workspace's records and chooses the lifecycle (spec 2.8, 4.1 rules
 * 1, 2 and 7). 422 document-context-missing or unsupported-processing-mode.
 */
export async function resolveUploadScope(
  work: Work,
  records: RecordLookup,
  workspaceId: string,
  fields: UploadFields,
): Promise<UploadScope> {
  const { findRecord, findBindings } = lookupIn(work, records, workspaceId);
  const parent = await findParent(findRecord, fields);
  await checkCase(findRecord, fields, parent);
  const { vertical_key, workflow_key } = fields;
  const binding =
    vertical_key === undefined || workflow_key === undefined
      ? undefined
      : await requireBinding(work, records, workspaceId, { vertical_key, workflow_key });
  if (parent === undefined && binding === undefined) {
    throw noContext(
      "planning_application_id",
      "is required, or business_request_id, or vertical_key with workflow_key",
    );
  }
  const lifecycle =
    binding?.lifecycle ??
    (binding === undefined ? savedLifecycle(await findBindings({}), fields, parent) : undefined) ??
    defaultLifecycle(fields);
  const refusal = unsupportedMode(lifecycle, fields.processing_mode);
  if (refusal !== undefined) throw refusal;
  const context = contextOf(fields);
  const key = JSON.stringify([fields.processing_mode, ...Object.entries(context).flat()]);
  return { context, lifecycle, key };
}

const bindingType = configurationTypes.binding;

/** Finds records of the workspace of an upload. */
function lookupIn(work: Work, records: RecordLookup, workspaceId: string) {
  return {
    findRecord: (type: string, id: string) => records.findRecord(work, workspaceId, type, id),
    findBindings: async (where: JsonObject) =>
      (await records.findRecords(work, workspaceId, bindingType, where)).filter(isActive),
  };
}

type FindRecord = ReturnType<typeof lookupIn>["findRecord"];

/** The refusal of a mode that the lifecycle does not support; undefined if it does. */
export function unsupportedMode(
  lifecycle: DocumentLifecycle,
  mode: ProcessingMode,
): Refusal | undefined {
  if (!unsupportedModes[lifecycle].includes(mode)) return undefined;
  return new Refusal("unsupported-processing-mode", {
    detail:
      `The lifecycle ${lifecycle} does not support the processing mode ${mode}: ` +
      "set config.documentLifecycle of the workflow's binding " +
      "(svc workflow provision --document-lifecycle planning-assist-v1), " +
      "or upload with the mode classification",
    errors: [{ pointer: pointer("processing_mode"), detail: "is not supported here" }],
    members: { lifecycle },
  });
}

async function findParent(
  findRecord: FindRecord,
  fields: UploadFields,
): Promise<FoundRecord | undefined> {
  const { planning_application_id: planningId, business_request_id: businessId } = fields;
  if (planningId !== undefined && businessId !== undefined) {
    throw noContext(
      "business_request_id",
      "conflicts with planning_application_id: a document belongs to one of them",
    );
  }
  const name = planningId === undefined ? "business_request_id" : "planning_application_id";
  const id = fields[name];
  if (id === undefined) return undefined;
  const objectType = parentTypes[name];
  const record = await findRecord(objectType, id);
  if (record !== undefined) return record;
  throw noContext(name, `is not a ${objectType.replace("-", " ")} of this workspace`);
}

/** The case must exist, and one of its properties must refer to the parent. */
async function checkCase(
  findRecord: FindRecord,
  fields: UploadFields,
  parent: FoundRecord | undefined,
): Promise<void> {
  const { assess_case_id: caseId } = fields;
  if (caseId === undefined) return;
  if (parent === undefined) {
    throw noContext("assess_case_id", "requires planning_application_id or business_request_id");
  }
  const record = await findRecord("assess-case", caseId);
  if (record === undefined) {
    throw noContext("assess_case_id", "is not an assessment case of this workspace");
  }
  if (!refersTo(record.data, parent.id)) {
    throw noContext("assess_case_id", "is a case that does not belong to the given context");
  }
}

function refersTo(data: JsonObject, id: string): boolean {
  return Object.values(data).some(
    (value) => value === id || (Array.isArray(value) && value.includes(id)),
  );
}

/**
 * Refuses the keys of a workflow that may not be used, with the reason of its runtime status; 422
 * document-context-missing for one that does not exist.
 */
export async function requireWorkflow(
  work: Work,
  gate: WorkflowGate | undefined,
  workspaceId: string,
  { vertical_key, workflow_key }: { readonly [Key in KeyOfPair]?: string | undefined },
): Promise<void> {
  if (gate === undefined || vertical_key === undefined || workflow_key === undefined) return;
  try {
    await gate(work, workspaceId, { vertical_key, workflow_key });
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== "not-found") throw error;
    const detail = error.message;
    throw new Refusal("document-context-missing", {
      ...error.options,
      errors: [{ pointer: pointer("workflow_key"), detail }],
    });
  }
}

type KeyOfPair = "vertical_key" | "workflow_key";

/** The active binding of a key pair (spec 4.1 rule 2); 422 document-context-missing without one. */
export async function requireBinding(
  work: Work,
  records: RecordLookup,
  workspaceId: string,
  keys: { readonly vertical_key: string; readonly workflow_key: string },
): Promise<{ readonly lifecycle: DocumentLifecycle | undefined }> {
  const [binding] = await lookupIn(work, records, workspaceId).findBindings({ ...keys });
  if (binding === undefined) {
    throw noContext("workflow_key", "is not a configured and active workflow of this app");
  }
  return { lifecycle: configuredLifecycle(binding.data["config"]) };
}

/**
 * The saved lifecycle of a planning or business context without keys: that of the binding which the
 * parent record names, else of the workspace's oldest active binding for this kind of context. A
 * planning context without a planning binding has the lifecycle of any other one.
 */
function savedLifecycle(
  bindings: readonly FoundRecord[],
  fields: UploadFields,
  parent: FoundRecord | undefined,
): DocumentLifecycle | undefined {
  const saved = bindings.flatMap(({ data }) => {
    const lifecycle = knownLifecycle(data["config"]);
    return lifecycle === undefined ? [] : [{ data, lifecycle }];
  });
  const { vertical_key, workflow_key } = parent?.data ?? {};
  const named = saved.find(
    ({ data }) => data["vertical_key"] === vertical_key && data["workflow_key"] === workflow_key,
  );
  if (named !== undefined) return named.lifecycle;
  const usual = defaultLifecycle(fields);
  const isPlanning = fields.planning_application_id !== undefined;
  const found =
    saved.find(({ lifecycle }) => lifecycle === usual) ??
    saved.find(({ lifecycle }) => isPlanning === (lifecycle !== "business-document-v1")) ??
    (isPlanning ? saved[0] : undefined);
  return found?.lifecycle;
}

/** `config.documentLifecycle` of the saved classifier binding. */
function configuredLifecycle(config: unknown): DocumentLifecycle | undefined {
  const lifecycle = knownLifecycle(config);
  if (lifecycle !== undefined || !isJsonObject(config) || !("documentLifecycle" in config)) {
    return lifecycle;
  }
  throw noContext("workflow_key", "is bound to an unknown document lifecycle");
}

function knownLifecycle(config: unknown): DocumentLifecycle | undefined {
  if (!isJsonObject(config)) return undefined;
  return documentLifecycles.find((known) => known === config["documentLifecycle"]);
}

function defaultLifecycle(fields: UploadFields): DocumentLifecycle {
  if (fields.planning_application_id === undefined) return "business-document-v1";
  return fields.assess_case_id === undefined ? "planning-assist-v1" : "planning-assess-v1";
}

function contextOf(fields: UploadFields): DocumentContext {
  const { planning_application_id, business_request_id, assess_case_id } = fields;
  const { vertical_key, workflow_key } = fields;
  return {
    ...given({ planning_application_id, business_request_id, assess_case_id }),
    ...(vertical_key === undefined || workflow_key === undefined
      ? {}
      : { vertical_key, workflow_key }),
  };
}

function noContext(name: string, detail: string): Refusal {
  return new Refusal("document-context-missing", {
    detail: `${name} ${detail}`,
    errors: [{ pointer: pointer(name), detail }],
  });
}
