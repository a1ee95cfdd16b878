import type { UploadAccepted, UploadFields } from "#contract/documents/upload.ts";
import {
  processingModes,
  storageTarget,
  type ProcessingMode,
} from "#contract/documents/upload-metadata.ts";
import { catalogError, type CatalogError } from "#contract/errors.ts";
import { formFields } from "#contract/plain/route-table.ts";
import { readBoundedText } from "#lib/network/bounded-body.ts";
import { parsedJson } from "#lib/json/value.ts";
import { answerOf } from "../answer/answer.ts";
import { bodyFailure } from "../transport/connection.ts";
import { errorFromResponse } from "../failures.ts";
import type { CallOptions, NamedFile, ProgressListener, UploadFile } from "../options.ts";
import type { ClientCalls } from "../calls.ts";
import { measured, requireSame, type SentBytes } from "./same-bytes.ts";
import { lookAtDocuments } from "../transport/unreachable.ts";

/** Context and metadata of an upload, in either spelling (spec 2.5); other names are refused. */
export interface UploadMetadata {
  readonly planningApplicationId?: string | undefined;
  readonly planning_application_id?: string | undefined;
  readonly businessRequestId?: string | undefined;
  readonly business_request_id?: string | undefined;
  readonly assessCaseId?: string | undefined;
  readonly assess_case_id?: string | undefined;
  readonly verticalKey?: string | undefined;
  readonly vertical_key?: string | undefined;
  readonly appKey?: string | undefined;
  readonly app_key?: string | undefined;
  readonly workflowKey?: string | undefined;
  readonly workflow_key?: string | undefined;
  readonly processingMode?: ProcessingMode | undefined;
  readonly processing_mode?: ProcessingMode | undefined;
  readonly storageTarget?: string | undefined;
  readonly storage_target?: string | undefined;
  /** The metadata names of spec 2.5, in snake_case or camelCase. */
  readonly [metadata: string]: string | undefined;
}

/** A file that a call uploads. */
export type DocumentFile = UploadFile | NamedFile;

/** Options of a document's upload. */
export interface UploadOptions extends CallOptions {
  readonly onProgress?: ProgressListener | undefined;
}

/** The response to an upload: 202 is acceptance, not success (spec 4.1 rule 10). */
export interface UploadOutcome {
  /** Its body is unread, also after `accepted()`. */
  readonly response: Response;
  readonly status: number;
  /** The job payload, read from a copy of the response. E203 if it states other bytes. */
  accepted(): Promise<UploadAccepted>;
}

/** Sends files with their metadata, which is checked first; `mode`: the one that a verb needs. */
export async function sendUpload(
  client: ClientCalls,
  files: DocumentFile | Iterable<DocumentFile>,
  metadata: UploadMetadata,
  { onProgress, ...options }: UploadOptions,
  mode: ProcessingMode | undefined,
): Promise<UploadOutcome> {
  const fields = uploadFields(metadata, options.tenantId ?? client.tenantId, mode);
  const given = (Symbol.iterator in files ? [...files] : [files]).map(uploadFile);
  const sources = given.map(({ content }) => measured(content));
  const response = await client.documents.upload.raw({
    ...options,
    fields,
    files: given.map((file, index) => ({
      ...file,
      content: sources[index]?.content ?? file.content,
    })),
    onProgress,
  });
  const sent = sources.map((source) => source.sent());
  return {
    response,
    status: response.status,
    accepted: async () => {
      const accepted = await readAccepted(response, fields.tenant_id);
      requireSameFiles(accepted, sent);
      return accepted;
    },
  };
}

/** A deployment that lists each file lists them in the order of the form. */
function requireSameFiles({ documents = [] }: UploadAccepted, sent: readonly SentBytes[]): void {
  if (documents.length !== sent.length) return;
  sent.forEach((bytes, index) => requireSame(documents[index] ?? {}, bytes));
}

function uploadFile(file: DocumentFile): UploadFile {
  if ("content" in file) return file;
  const contentType = file.type === "" ? undefined : file.type;
  return { filename: file.name, contentType, content: file };
}

const maximumAcceptedBytes = 1024 * 1024;
const acceptedTimeoutMs = 30_000;
const maybeAccepted = `The upload may have been accepted. ${lookAtDocuments}`;

/** The job of an upload's 202 (spec 4.1 rule 10). E203 if unreadable: then do not send it again. */
async function readAccepted(response: Response, tenantId: string): Promise<UploadAccepted> {
  const copy = response.clone();
  const { ok, status } = response;
  if (!ok) {
    const subject = `Workspace ${tenantId}`;
    throw await errorFromResponse(copy, { subject, unexplained: maybeAccepted });
  }
  const unread = (details: string): CatalogError =>
    catalogError("E203", { details }, { status, hint: maybeAccepted });
  const limits = { limitMs: acceptedTimeoutMs };
  const text = await readBoundedText(copy, maximumAcceptedBytes, limits).catch((error: unknown) => {
    throw unread(`the response to the upload can't be read: ${bodyFailure(error)}`);
  });
  const accepted = await answerOf("documents", "upload", "reply", parsedJson(text));
  if (accepted !== undefined) return accepted;
  throw unread("the response to the upload has no job");
}

type FieldName = keyof UploadFields;

/** Names whose values only the server chooses (spec 2.5). */
const forbiddenNames: ReadonlySet<string> = new Set([
  "lifecycle",
  "document_lifecycle",
  "collection",
  "object_type",
  "file_property",
  "property_name",
  "owner",
  "owner_id",
  "authority",
  "classifier",
  "classifier_id",
  "classifier_pin",
  "classifier_version",
]);

/** Contexts and keys: blank values are refused, not ignored. */
const scopeNames: readonly FieldName[] = [
  "planning_application_id",
  "business_request_id",
  "assess_case_id",
  "vertical_key",
  "workflow_key",
];

/** The form's text fields from metadata in either spelling (spec 4.1 rule 4, 2.5). E305 or E303. */
export function uploadFields(
  metadata: UploadMetadata,
  tenantId: string | undefined,
  requiredMode: ProcessingMode | undefined,
): UploadFields {
  const given = byFieldName(metadata, new Set(formFields("documents.upload")));
  const tenant = given.get("tenant_id");
  if (tenantId === undefined || tenantId === "") {
    throw catalogError("E303", { field: "tenantId" }, { hint: "Run `svc workspace select`" });
  }
  if (tenant !== undefined && tenant !== tenantId) {
    throw refused("the metadata must not name another workspace");
  }
  const storage = given.get("storage_target");
  if (storage !== undefined && storage !== storageTarget) {
    throw refused(`storage_target must be ${storageTarget}`);
  }
  for (const name of scopeNames) {
    if (given.get(name)?.trim() === "") throw refused(`${name} is blank`);
  }
  checkContext(given);
  return {
    ...Object.fromEntries(given),
    tenant_id: tenantId,
    storage_target: storageTarget,
    processing_mode: modeOf(given.get("processing_mode"), requiredMode),
  };
}

/** One value for each form field; different spellings must have equal values. */
function byFieldName(metadata: UploadMetadata, known: ReadonlySet<string>): Map<FieldName, string> {
  const isField = (name: string): name is FieldName => known.has(name);
  const fields = new Map<FieldName, string>();
  for (const [name, value] of Object.entries(metadata)) {
    if (value === undefined) continue;
    const snakeCase = name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
    if (snakeCase === "application_id") {
      throw refused(
        `${name} is not an alias of planning_application_id; name the context by its full name`,
      );
    }
    if (forbiddenNames.has(snakeCase)) throw refused(`${name} is chosen by the platform`);
    const field = snakeCase === "app_key" ? "vertical_key" : snakeCase;
    if (!isField(field)) {
      throw refused(`${JSON.stringify(name.slice(0, 64))} is not supported metadata`);
    }
    if (typeof value !== "string") throw refused(`${name} is not a string`);
    const before = fields.get(field);
    if (before !== undefined && before !== value) {
      throw refused(`${field} is given twice, with different values`);
    }
    fields.set(field, value);
  }
  return fields;
}

/** Spec 4.1 rule 1: a planning or business context, or both keys of a standalone workflow. */
function checkContext(given: ReadonlyMap<FieldName, string>): void {
  const record = given.has("planning_application_id") || given.has("business_request_id");
  const app = given.has("vertical_key");
  const workflow = given.has("workflow_key");
  if (app !== workflow) {
    throw refused(app ? "the app key needs a workflow key" : "the workflow key needs an app key");
  }
  if (given.has("assess_case_id") && !record) {
    throw refused("assess_case_id needs a planning or business context");
  }
  if (record || app) return;
  const hint =
    "Give planning_application_id or business_request_id, or the app and workflow keys of a " +
    "standalone workflow";
  throw catalogError("E303", { field: "document context" }, { hint });
}

function modeOf(given: string | undefined, required: ProcessingMode | undefined): ProcessingMode {
  if (given === undefined) return required ?? "full";
  const mode = processingModes.find((name) => name === given);
  if (mode === undefined)
    throw refused(`processing_mode must be one of ${processingModes.join(", ")}`);
  if (required !== undefined && mode !== required) {
    throw refused(`processing_mode ${mode} conflicts with classify`);
  }
  return mode;
}

function refused(details: string): CatalogError {
  return catalogError("E305", { details });
}
