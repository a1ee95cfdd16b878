import type { Reader, Writer } from "../../../database/database.ts";
import type { Transaction } from "../../../work/work.ts";
import { jsonValue } from "../../../database/dialect.ts";
import { join, statement, type Statement } from "../../../database/statement.ts";
import { documentColumns, documentOfRow } from "./document-row.ts";
import type { Document, DocumentColumns, DocumentKey } from "./document-row.ts";

export type { Document, DocumentKey } from "./document-row.ts";

/** The columns that an upload gives. */
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

/** Takes the next document number of a workspace, without gaps. */
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

/** Locks a workspace's files until the transaction ends: no upload adopts a file in removal. */
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
  tx: Transaction,
  document: NewDocument,
  number: string,
  now: Date,
): Promise<Document> {
  const time = now.toISOString();
  const row = await tx.first<DocumentColumns>(statement`insert into documents (
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
  tx.event("document", document.id, document.workspaceId, { op: "created", version: 1 });
  return documentOfRow(row);
}

/** The document with this id, even one that is being removed. */
export async function documentById(
  reader: Reader,
  key: DocumentKey,
): Promise<Document | undefined> {
  return one(reader, isDocument(key));
}

export async function documentByNumber(
  reader: Reader,
  workspaceId: string,
  number: string,
): Promise<Document | undefined> {
  return one(reader, statement`workspace_id = ${workspaceId} and number = ${number}`);
}

/** The document with these bytes in this scope that is not being removed. */
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

async function many(reader: Reader, condition: Statement): Promise<Document[]> {
  const rows = await reader.all<DocumentColumns>(
    statement`select ${documentColumns} from documents where ${condition}`,
  );
  return rows.map(documentOfRow);
}

/** A job's documents in the order of their ids. */
export async function documentsOfJob(
  reader: Reader,
  workspaceId: string,
  jobId: string,
): Promise<Document[]> {
  return many(
    reader,
    statement`workspace_id = ${workspaceId} and job_id = ${jobId} and status <> 'deleting'
      order by id`,
  );
}

/** The documents of several jobs that are not being removed, in no order. */
export async function documentsOfJobs(
  reader: Reader,
  workspaceId: string,
  jobIds: readonly string[],
): Promise<Document[]> {
  if (jobIds.length === 0) return [];
  return many(
    reader,
    statement`workspace_id = ${workspaceId} and job_id in (${join(jobIds)})
      and status <> 'deleting'`,
  );
}

/** The documents with these ids that are not being removed, in no order. */
export async function documentsByIds(
  reader: Reader,
  workspaceId: string,
  ids: readonly string[],
): Promise<Document[]> {
  if (ids.length === 0) return [];
  return many(
    reader,
    statement`workspace_id = ${workspaceId} and id in (${join(ids)}) and status <> 'deleting'`,
  );
}

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

/** False when the document does not exist or is being removed. */
export async function updateDocument(
  tx: Transaction,
  key: DocumentKey,
  changes: DocumentChanges,
  now: Date,
): Promise<boolean> {
  const changed = Object.keys(changes);
  return changesOne(tx, key, join([...assignments(changes), touched(now)]), changed);
}

/** Changes a document and reports its event; false when it does not exist. */
async function changesOne(
  tx: Transaction,
  key: DocumentKey,
  changes: Statement,
  changed: readonly string[],
): Promise<boolean> {
  const row = await tx.first<{ version: number }>(statement`update documents set ${changes}
    where ${isDocument(key)} and status <> 'deleting' returning version`);
  if (row === undefined) return false;
  const version = Number(row.version);
  tx.event("document", key.id, key.workspaceId, { version, changed });
  return true;
}

async function updatesOne(writer: Writer, key: DocumentKey, changes: Statement): Promise<boolean> {
  const { changedRows } = await writer.run(statement`update documents set ${changes}
    where ${isDocument(key)} and status <> 'deleting'`);
  return changedRows === 1;
}

function isDocument({ workspaceId, id }: DocumentKey): Statement {
  return statement`workspace_id = ${workspaceId} and id = ${id}`;
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

/** Gives the document to a new job that indexes it again, after its other stages. */
export async function startDocumentJob(
  tx: Transaction,
  { doneStages, ...key }: DocumentKey & Pick<Document, "doneStages">,
  jobId: string,
  now: Date,
): Promise<void> {
  const kept = doneStages.filter((stage) => stage !== "index");
  const changes = assignments({
    status: "queued",
    indexStatus: "pending",
    doneStages: kept,
    error: null,
  });
  const all = join([...changes, statement`job_id = ${jobId}`, touched(now)]);
  await changesOne(tx, key, all, ["status", "indexStatus", "jobId"]);
}

/** True if the document exists; its removal waits until the transaction ends. */
export async function keepDocument(writer: Writer, key: DocumentKey): Promise<boolean> {
  return updatesOne(writer, key, statement`version = version`);
}

/** Hides the document from all reads but those of its removal. */
export async function markDocumentDeleting(
  tx: Transaction,
  key: DocumentKey,
  now: Date,
): Promise<void> {
  const row = await tx.first<{ version: number }>(statement`update documents
    set status = 'deleting', trashed_until = null, ${touched(now)}
    where ${isDocument(key)} returning version`);
  if (row === undefined) return;
  const version = Number(row.version);
  tx.event("document", key.id, key.workspaceId, { op: "deleted", version });
}

export async function deleteDocumentRow(writer: Writer, key: DocumentKey): Promise<boolean> {
  const { changedRows } = await writer.run(statement`delete from documents
    where ${isDocument(key)} and status = 'deleting'`);
  return changedRows === 1;
}

/** Documents of all workspaces whose removal has not ended. */
export async function documentsBeingRemoved(reader: Reader, limit: number): Promise<Document[]> {
  return many(
    reader,
    statement`status = 'deleting' and trashed_until is null
      order by workspace_id, sha256, id limit ${limit}`,
  );
}
