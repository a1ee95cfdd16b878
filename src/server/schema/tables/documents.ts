/** An uploaded document; JSON columns are written with `jsonValue` and read with `jsonText`. */
export interface DocumentRow {
  workspace_id: string;
  id: string;
  /** `DOC-2026-000042`, unique in the workspace. */
  number: string;
  /** As the sender wrote it: data, never a path. */
  filename: string;
  /** The sender's claim until the content was looked at. */
  media_type: string;
  /** Bytes. */
  size: number;
  sha256: string;
  /** The same bytes under the same key are the same document: context and processing mode. */
  scope_key: string;
  lifecycle: string;
  processing_mode: string;
  /** `queued`, `processing`, `ready`, `failed`, `cancelled`, or `deleting` while it is removed. */
  status: string;
  /** JSON: the ids and keys that the document belongs to. */
  context: string;
  /** JSON: the accepted metadata of the upload. */
  metadata: string;
  /** JSON `{ label, confidence, candidates }` or null. */
  classification: string | null;
  /** JSON of extracted fields by name, or null. */
  fields: string | null;
  /** JSON `{ title?, author?, createdAt?, warnings? }` of the file itself, or null. */
  properties: string | null;
  pages: number | null;
  chunk_count: number | null;
  /** `none` (not asked for), `pending`, `indexed` or `failed`. */
  index_status: string;
  /** JSON array of the stages that are done, for a job that goes on after an interruption. */
  done_stages: string;
  /** JSON `{ code, message }` of the stage that failed, or null. */
  error: string | null;
  job_id: string;
  created_by: string;
  created_at: string;
  updated_at: string;
  version: number;
}

/** The text of one page, from 1; offsets into it are UTF-16 code units. */
export interface DocumentPageRow {
  workspace_id: string;
  document_id: string;
  page: number;
  text: string;
}

/**
 * A passage that is searched. SQLite keeps its terms in the FTS5 table `document_chunk_terms` under
 * its row's `seq`, PostgreSQL in the row's own `terms`.
 */
export interface DocumentChunkRow {
  workspace_id: string;
  document_id: string;
  /** From 0, in reading order. */
  ordinal: number;
  page: number;
  /** Where it stands in the page's text. */
  span_start: number;
  span_end: number;
  text: string;
}

/** The last number given, by workspace and name (`number-2026`). */
export interface DocumentCounterRow {
  workspace_id: string;
  name: string;
  value: number;
}

export interface DocumentTables {
  documents: DocumentRow;
  document_pages: DocumentPageRow;
  document_chunks: DocumentChunkRow;
  document_counters: DocumentCounterRow;
}
