import { columnType } from "../../../database/migration.ts";
import { statement, type Dialect, type Statement } from "../../../database/statement.ts";

const { text, integer, json, bytes } = columnType;

/** Documents, their pages, and the passages that are searched. */
export const documentTables = (dialect: Dialect): readonly Statement[] => [
  statement`create table documents (
    workspace_id ${text} not null,
    id ${text} not null,
    number ${text} not null,
    filename ${text} not null,
    media_type ${text} not null,
    size ${integer} not null,
    sha256 ${text} not null,
    scope_key ${text} not null,
    lifecycle ${text} not null,
    processing_mode ${text} not null,
    status ${text} not null,
    context ${json} not null,
    metadata ${json} not null,
    classification ${json},
    fields ${json},
    properties ${json},
    pages ${integer},
    chunk_count ${integer},
    index_status ${text} not null,
    done_stages ${json} not null,
    error ${json},
    job_id ${text} not null,
    created_by ${text} not null,
    created_at ${text} not null,
    updated_at ${text} not null,
    version ${integer} not null,
    embedded_with ${text} not null default '',
    primary key (workspace_id, id)
  )`,
  statement`create unique index documents_by_number on documents (workspace_id, number)`,
  statement`create index documents_by_time
    on documents (workspace_id, created_at desc, id desc)`,
  statement`create unique index documents_by_content
    on documents (workspace_id, sha256, scope_key) where status <> 'deleting'`,
  statement`create index documents_by_job on documents (workspace_id, job_id, id)`,
  statement`create index documents_deleting
    on documents (workspace_id, sha256) where status = 'deleting'`,
  statement`create index documents_unsettled
    on documents (workspace_id, job_id) where status in ('queued', 'processing')`,
  statement`create index documents_by_embedding
    on documents (embedded_with, workspace_id, id) where index_status = 'indexed'`,
  statement`create table document_counters (
    workspace_id ${text} not null,
    name ${text} not null,
    value ${integer} not null,
    primary key (workspace_id, name)
  )`,
  statement`create table document_pages (
    workspace_id ${text} not null,
    document_id ${text} not null,
    page ${integer} not null,
    text ${text} not null,
    tables ${text},
    words ${text},
    primary key (workspace_id, document_id, page)
  )`,
  ...(dialect === "sqlite" ? sqlitePassages : postgresqlPassages),
  // A revision is raised by each write of vectors in its workspace, so that indexes can follow.
  statement`create table embedding_states (
    workspace_id ${text} not null primary key,
    model ${text} not null,
    dimensions ${integer} not null,
    revision ${integer} not null,
    owner ${text} not null,
    leased_until ${text} not null
  )`,
  statement`create table passage_vectors (
    workspace_id ${text} not null,
    document_id ${text} not null,
    ordinal ${integer} not null,
    model ${text} not null,
    revision ${integer} not null,
    vector ${bytes} not null,
    primary key (workspace_id, document_id, ordinal)
  )`,
  statement`create index passage_vectors_by_revision
    on passage_vectors (workspace_id, model, revision)`,
];

const passageColumns = statement`workspace_id ${text} not null,
    document_id ${text} not null,
    ordinal ${integer} not null,
    page ${integer} not null,
    span_start ${integer} not null,
    span_end ${integer} not null,
    text ${text} not null,
    headings ${text} not null`;

/** The search index needs an integer key that VACUUM keeps, so it is a column. */
const sqlitePassages: readonly Statement[] = [
  statement`create table document_chunks (
    seq integer primary key,
    ${passageColumns}
  )`,
  statement`create unique index document_chunks_by_place
    on document_chunks (workspace_id, document_id, ordinal)`,
];

const postgresqlPassages: readonly Statement[] = [
  statement`create table document_chunks (
    ${passageColumns},
    primary key (workspace_id, document_id, ordinal)
  )`,
];
