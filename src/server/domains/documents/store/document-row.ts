import type { StageName } from "#contract/documents/jobs.ts";
import type { DocumentLifecycle } from "#contract/documents/lifecycles.ts";
import type { ProcessingMode } from "#contract/documents/upload-metadata.ts";
import type { JsonObject } from "#contract/values.ts";
import { jsonText } from "../../../database/dialect.ts";
import { raw, statement, type Statement } from "../../../database/statement.ts";

/** `deleting`: the removal has started, and reads no longer see the document. */
export type DocumentStatus =
  | "queued"
  | "processing"
  | "ready"
  | "failed"
  | "cancelled"
  | "deleting";

/** `none`: the processing mode has no index stage. */
export type IndexStatus = "none" | "pending" | "indexed" | "failed";

export interface DocumentKey {
  readonly workspaceId: string;
  readonly id: string;
}

/** The context of the upload, with the names of the wire (spec 2.5). */
export interface DocumentContext {
  readonly planning_application_id?: string;
  readonly business_request_id?: string;
  readonly assess_case_id?: string;
  readonly vertical_key?: string;
  readonly workflow_key?: string;
}

export interface Classification {
  readonly label: string;
  readonly confidence: number;
  readonly candidates: readonly { readonly label: string; readonly confidence: number }[];
  /** `rule`, `model`, `none` below the threshold, or `review` after a decision of a user. */
  readonly method?: string;
  /** The classifier that decided, and the version of its model. */
  readonly classifier?: string | null;
  /** The chat model that decided, or why it did not. */
  readonly chatModel?: string;
  readonly modelError?: string;
  readonly modelVersion?: number | null;
  /** The confidence that the best label had to reach. */
  readonly threshold?: number;
}

/** Properties that the file declares, and warnings of its extraction. */
export interface FileProperties {
  readonly title?: string;
  readonly author?: string;
  readonly createdAt?: string;
  readonly warnings?: readonly string[];
  /** The first content that was left out, e.g. an encrypted attachment, and why. */
  readonly leftOut?: string;
  /** Pages that are only pictures, in which no text was found. */
  readonly unreadPages?: readonly number[];
  /** The model that read the pictures of pages. */
  readonly pictureModel?: { readonly name: string; readonly pages: readonly number[] };
}

export interface DocumentError {
  readonly code: string;
  readonly message: string;
}

/** A stored document; times are RFC 3339. */
export interface Document extends DocumentKey {
  readonly number: string;
  readonly filename: string;
  readonly mediaType: string;
  readonly size: number;
  readonly sha256: string;
  readonly scopeKey: string;
  readonly lifecycle: DocumentLifecycle;
  readonly processingMode: ProcessingMode;
  readonly status: DocumentStatus;
  readonly context: DocumentContext;
  readonly metadata: JsonObject;
  readonly classification: Classification | null;
  readonly fields: JsonObject | null;
  readonly properties: FileProperties | null;
  readonly pages: number | null;
  readonly chunkCount: number | null;
  readonly indexStatus: IndexStatus;
  readonly doneStages: readonly StageName[];
  readonly error: DocumentError | null;
  readonly jobId: string;
  readonly createdBy: string;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly version: number;
  /** A document in the trash has the status `deleting`, and can be restored until then. */
  readonly trashedUntil: string | null;
}

/** A row of {@link documentColumns}: the JSON columns are text. */
export interface DocumentColumns extends Omit<
  Document,
  "context" | "metadata" | "classification" | "fields" | "properties" | "doneStages" | "error"
> {
  readonly context: string;
  readonly metadata: string;
  readonly classification: string | null;
  readonly fields: string | null;
  readonly properties: string | null;
  readonly doneStages: string;
  readonly error: string | null;
}

/** The columns for `select` and `returning`. */
export const documentColumns: Statement = statement`${raw(
  'workspace_id as "workspaceId", id, number, filename, media_type as "mediaType", size, sha256, ' +
    'scope_key as "scopeKey", lifecycle, processing_mode as "processingMode", status, pages, ' +
    'chunk_count as "chunkCount", index_status as "indexStatus", job_id as "jobId", ' +
    'created_by as "createdBy", created_at as "createdAt", updated_at as "updatedAt", version, ' +
    'trashed_until as "trashedUntil"',
)}, ${jsonText("context")} as context, ${jsonText("metadata")} as metadata,
  ${jsonText<string | null>("classification")} as classification,
  ${jsonText<string | null>("fields")} as fields,
  ${jsonText<string | null>("properties")} as properties,
  ${jsonText("done_stages")} as "doneStages", ${jsonText<string | null>("error")} as error`;

export function documentOfRow(row: DocumentColumns): Document {
  return {
    ...row,
    // Only this store writes the JSON columns, from these types.
    context: JSON.parse(row.context) as DocumentContext,
    metadata: JSON.parse(row.metadata) as JsonObject,
    classification: parsed<Classification>(row.classification),
    fields: parsed<JsonObject>(row.fields),
    properties: parsed<FileProperties>(row.properties),
    doneStages: JSON.parse(row.doneStages) as StageName[],
    error: parsed<DocumentError>(row.error),
  };
}

function parsed<Value>(text: string | null): Value | null {
  return text === null ? null : (JSON.parse(text) as Value);
}
