import type { Reader, Writer } from "../../../database/database.ts";
import { jsonValue } from "../../../database/dialect.ts";
import { join, statement } from "../../../database/statement.ts";
import type { Statement } from "../../../database/statement.ts";
import { documentColumns, documentOfRow } from "./document-row.ts";
import type { Document, DocumentColumns, DocumentKey } from "./document-row.ts";

export type { Document, DocumentKey } from "./document-row.ts";

/** What an upload knows of a document. */
export type NewDocument = Pick<
  Document,
  | "workspaceId"
  | "id"
  | "filename"
  | "mediaType"
  | "size"
  | "sha256"
  | "scopeKey"
  | "lifecycle"
  | "processingMode"
  | "context"
  | "metadata"
  | "indexStatus"
  | "jobId"
  | "createdBy"
>;

/**
 * The next document number of a workspace, without gaps. Every upload and every removal of a file goes through this row, so that on PostgreSQL too the two exclude each
 * other in one workspace: a file can't be adopted and removed at a time.
 */
export async function takeDocumentNumber(
  writer: Writer,
  workspaceId: string,
  now: Date,
): Promise<string> {
  const year = String(now.getUTCFullYear()).padStart(4, "0");
  await lockDocumentFiles(writer, workspaceId);
  const number = await countOn(writer, workspaceId, `number-${year}`);
  return `DOC-${year}-${String(number).padStart(6, "0")}`;
}

/** Keeps other uploads and removals of the workspace out until the unit ends. */
export async function lockDocumentFiles(writer: Writer, workspaceId: string): Promise<void> {
  await countOn(writer, workspaceId, "files");
}

async function countOn(writer: Writer, workspaceId: string, name: string): Promise<number> {
  const row = await writer.first<{ value: number }>(statement`insert into document_counters
    (workspace_id, name, value) values (${workspaceId}, ${name}, 1)
    on conflict (workspace_id, name) do update set value = document_counters.value + 1
    returning value`);
  return row?.value ?? 1;
}

export async function insertDocument(
  writer: Writer,
  document: NewDocument,
  number: string,
  now: Date,
): Promise<Document> {
  const time = now.toISOString();
  const row = await writer.first<DocumentColumns>(statement`insert into documents (
      workspace_id, id, number, filename, media_type, size, sha256, scope_key, lifecycle,
      processing_mode, status, context, metadata, index_status, done_stages, job_id, created_by,
      created_at, updated_at, version
    ) values (
      ${document.workspaceId}, ${document.id}, ${number}, ${document.filename},
      ${document.mediaType}, ${document.size}, ${document.sha256}, ${document.scopeKey},
      ${document.lifecycle}, ${document.processingMode}, 'queued', ${jsonValue(document.context)},
      ${jsonValue(document.metadata)}, ${document.indexStatus}, ${jsonValue([])},
      ${document.jobId}, ${document.createdBy}, ${time}, ${time}, 1
    ) returning ${documentColumns}`);
  if (row === undefined) throw new Error("the database returned no row for a document it wrote");
  return documentOfRow(row);
}

/** By id, whatever its status: another workspace's document is not there. */
export async function documentById(
  reader: Reader,
  key: DocumentKey,
): Promise<Document | undefined> {
  return one(reader, statement`workspace_id = ${key.workspaceId} and id = ${key.id}`);
}

export async function documentByNumber(
  reader: Reader,
  workspaceId: string,
  number: string,
): Promise<Document | undefined> {
  return one(reader, statement`workspace_id = ${workspaceId} and number = ${number}`);
}

/** The living document with these bytes in this scope, if there is one. */
export async function documentByContent(
  reader: Reader,
  content: { readonly workspaceId: string; readonly sha256: string; readonly scopeKey: string },
): Promise<Document | undefined> {
  return one(
    reader,
    statement`workspace_id = ${content.workspaceId} and sha256 = ${content.sha256}
      and scope_key = ${content.scopeKey} and status <> 'deleting'`,
  );
}

async function one(reader: Reader, condition: Statement): Promise<Document | undefined> {
  const row = await reader.first<DocumentColumns>(
    statement`select ${documentColumns} from documents where ${condition} limit 1`,
  );
  return row === undefined ? undefined : documentOfRow(row);
}

/** A job's documents in the order of their numbers. */
export async function documentsOfJob(
  reader: Reader,
  workspaceId: string,
  jobId: string,
): Promise<Document[]> {
  const rows = await reader.all<DocumentColumns>(statement`select ${documentColumns} from documents
    where workspace_id = ${workspaceId} and job_id = ${jobId} and status <> 'deleting'
    order by id`);
  return rows.map(documentOfRow);
}

/** The named documents that are there and not being removed, in no order. */
export async function documentsByIds(
  reader: Reader,
  workspaceId: string,
  ids: readonly string[],
): Promise<Document[]> {
  if (ids.length === 0) return [];
  const rows = await reader.all<DocumentColumns>(statement`select ${documentColumns} from documents
    where workspace_id = ${workspaceId} and id in (${join(ids)}) and status <> 'deleting'`);
  return rows.map(documentOfRow);
}

/** Columns that change after the upload; a missing one stays as it is. */
export type DocumentChanges = Partial<
  Pick<
    Document,
    | "mediaType"
    | "status"
    | "classification"
    | "fields"
    | "properties"
    | "pages"
    | "chunkCount"
    | "indexStatus"
    | "doneStages"
    | "error"
  >
>;

/** Changes a document that is not being removed; false when there is none. */
export async function updateDocument(
  writer: Writer,
  key: DocumentKey,
  changes: DocumentChanges,
  now: Date,
): Promise<boolean> {
  const { changedRows } = await writer.run(statement`update documents
    set ${join([...assignments(changes), touched(now)])}
    where workspace_id = ${key.workspaceId} and id = ${key.id} and status <> 'deleting'`);
  return changedRows === 1;
}

function assignments(changes: DocumentChanges): Statement[] {
  const set: Statement[] = [];
  const { mediaType, status, pages, chunkCount, indexStatus } = changes;
  if (mediaType !== undefined) set.push(statement`media_type = ${mediaType}`);
  if (status !== undefined) set.push(statement`status = ${status}`);
  if (pages !== undefined) set.push(statement`pages = ${pages}`);
  if (chunkCount !== undefined) set.push(statement`chunk_count = ${chunkCount}`);
  if (indexStatus !== undefined) set.push(statement`index_status = ${indexStatus}`);
  const { classification, fields, properties, doneStages, error } = changes;
  if (classification !== undefined) {
    set.push(statement`classification = ${jsonOrNull(classification)}`);
  }
  if (fields !== undefined) set.push(statement`fields = ${jsonOrNull(fields)}`);
  if (properties !== undefined) set.push(statement`properties = ${jsonOrNull(properties)}`);
  if (doneStages !== undefined) set.push(statement`done_stages = ${jsonValue(doneStages)}`);
  if (error !== undefined) set.push(statement`error = ${jsonOrNull(error)}`);
  return set;
}

function jsonOrNull(value: object | null): Statement {
  return value === null ? statement`null` : jsonValue(value);
}

function touched(now: Date): Statement {
  return statement`updated_at = ${now.toISOString()}, version = version + 1`;
}

/** Whether the document lives; holds off its removal until the unit ends. */
export async function keepDocument(writer: Writer, key: DocumentKey): Promise<boolean> {
  const { changedRows } = await writer.run(statement`update documents set version = version
    where workspace_id = ${key.workspaceId} and id = ${key.id} and status <> 'deleting'`);
  return changedRows === 1;
}

/** From here on the document is only there to have its removal ended. */
export async function markDocumentDeleting(
  writer: Writer,
  key: DocumentKey,
  now: Date,
): Promise<void> {
  await writer.run(statement`update documents set status = 'deleting', ${touched(now)}
    where workspace_id = ${key.workspaceId} and id = ${key.id}`);
}

export async function deleteDocumentRow(writer: Writer, key: DocumentKey): Promise<boolean> {
  const { changedRows } = await writer.run(statement`delete from documents
    where workspace_id = ${key.workspaceId} and id = ${key.id} and status = 'deleting'`);
  return changedRows === 1;
}

/** Documents of any workspace whose removal has begun but not ended. */
export async function documentsBeingRemoved(reader: Reader, limit: number): Promise<Document[]> {
  const rows = await reader.all<DocumentColumns>(statement`select ${documentColumns} from documents
    where status = 'deleting' order by workspace_id, sha256, id limit ${limit}`);
  return rows.map(documentOfRow);
}
