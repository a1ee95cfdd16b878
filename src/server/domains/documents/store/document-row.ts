import type { StageName } from "#contract/documents/jobs.ts";
import type { DocumentLifecycle, ProcessingMode } from "#contract/documents/upload.ts";
import type { JsonObject } from "#contract/values.ts";
import { jsonText } from "../../../database/dialect.ts";
import { raw, statement } from "../../../database/statement.ts";
import type { Statement } from "../../../database/statement.ts";

/** `deleting`: its removal has begun and must be ended; it is no more listed or answered from. */
export type DocumentStatus =
  | "queued"
  | "processing"
  | "ready"
  | "failed"
  | "cancelled"
  | "deleting";

/** `none`: the processing mode asks for no index. */
export type IndexStatus = "none" | "pending" | "indexed" | "failed";

export interface DocumentKey {
  readonly workspaceId: string;
  readonly id: string;
}

/** What the document was uploaded for; names as on the wire (spec 2.5). */
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
}

/** What the file says of itself, and what its reader warned of. */
export interface FileProperties {
  readonly title?: string;
  readonly author?: string;
  readonly createdAt?: string;
  readonly warnings?: readonly string[];
}

export interface DocumentError {
  readonly code: string;
  readonly message: string;
}

/** A document as it stands in the database; times are RFC 3339. */
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
}

/** What `documentColumns` gives. */
export interface DocumentColumns {
  readonly workspace_id: string;
  readonly id: string;
  readonly number: string;
  readonly filename: string;
  readonly media_type: string;
  readonly size: number;
  readonly sha256: string;
  readonly scope_key: string;
  readonly lifecycle: DocumentLifecycle;
  readonly processing_mode: ProcessingMode;
  readonly status: DocumentStatus;
  readonly context: string;
  readonly metadata: string;
  readonly classification: string | null;
  readonly fields: string | null;
  readonly properties: string | null;
  readonly pages: number | null;
  readonly chunk_count: number | null;
  readonly index_status: IndexStatus;
  readonly done_stages: string;
  readonly error: string | null;
  readonly job_id: string;
  readonly created_by: string;
  readonly created_at: string;
  readonly updated_at: string;
  readonly version: number;
}

/** After `select` and after `returning`. */
export const documentColumns: Statement = statement`${raw(
  "workspace_id, id, number, filename, media_type, size, sha256, scope_key, lifecycle, " +
    "processing_mode, status, pages, chunk_count, index_status, job_id, created_by, created_at, " +
    "updated_at, version",
)}, ${jsonText("context")} as context, ${jsonText("metadata")} as metadata,
  ${jsonText<string | null>("classification")} as classification,
  ${jsonText<string | null>("fields")} as fields,
  ${jsonText<string | null>("properties")} as properties,
  ${jsonText("done_stages")} as done_stages, ${jsonText<string | null>("error")} as error`;

export function documentOfRow(row: DocumentColumns): Document {
  return {
    workspaceId: row.workspace_id,
    id: row.id,
    number: row.number,
    filename: row.filename,
    mediaType: row.media_type,
    size: row.size,
    sha256: row.sha256,
    scopeKey: row.scope_key,
    lifecycle: row.lifecycle,
    processingMode: row.processing_mode,
    status: row.status,
    // Only this store writes the JSON columns, from these very types.
    context: JSON.parse(row.context) as DocumentContext,
    metadata: JSON.parse(row.metadata) as JsonObject,
    classification: parsed<Classification>(row.classification),
    fields: parsed<JsonObject>(row.fields),
    properties: parsed<FileProperties>(row.properties),
    pages: row.pages,
    chunkCount: row.chunk_count,
    indexStatus: row.index_status,
    doneStages: JSON.parse(row.done_stages) as StageName[],
    error: parsed<DocumentError>(row.error),
    jobId: row.job_id,
    createdBy: row.created_by,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    version: row.version,
  };
}

function parsed<Value>(text: string | null): Value | null {
  return text === null ? null : (JSON.parse(text) as Value);
}
