import { columnType } from "../database/migration.ts";
import type { Migration } from "../database/migration.ts";
import { raw, statement } from "../database/statement.ts";

const { text, integer, json } = columnType;

/** Documents, the text of their pages, and the passages that are searched. */
export const migration: Migration = {
  name: "0006-documents",
  async up(context) {
    await context.run(statement`create table documents (
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
      primary key (workspace_id, id)
    )`);
    await context.run(
      statement`create unique index documents_by_number on documents (workspace_id, number)`,
    );
    await context.run(statement`create index documents_by_time
      on documents (workspace_id, created_at desc, id desc)`);
    await context.run(statement`create unique index documents_by_content
      on documents (workspace_id, sha256, scope_key) where status <> 'deleting'`);
    await context.run(
      statement`create index documents_by_job on documents (workspace_id, job_id, id)`,
    );
    await context.run(statement`create index documents_deleting
      on documents (workspace_id, sha256) where status = 'deleting'`);
    await context.run(statement`create index documents_unsettled
      on documents (workspace_id, job_id) where status in ('queued', 'processing')`);

    await context.run(statement`create table document_counters (
      workspace_id ${text} not null,
      name ${text} not null,
      value ${integer} not null,
      primary key (workspace_id, name)
    )`);

    await context.run(statement`create table document_pages (
      workspace_id ${text} not null,
      document_id ${text} not null,
      page ${integer} not null,
      text ${text} not null,
      primary key (workspace_id, document_id, page)
    )`);

    if (context.dialect === "sqlite") {
      // The terms need an integer key that VACUUM leaves alone, so it is a column of its own.
      await context.run(statement`create table document_chunks (
        seq integer primary key,
        workspace_id ${text} not null,
        document_id ${text} not null,
        ordinal ${integer} not null,
        page ${integer} not null,
        span_start ${integer} not null,
        span_end ${integer} not null,
        text ${text} not null
      )`);
      await context.run(statement`create unique index document_chunks_by_place
        on document_chunks (workspace_id, document_id, ordinal)`);
      // Terms come ready made, so the tokenizer only has to split at spaces.
      await context.run(
        raw(`create virtual table document_chunk_terms using fts5(
          scope, terms, content='', contentless_delete=1, tokenize='unicode61 remove_diacritics 0'
        )`),
      );
    } else {
      await context.run(statement`create table document_chunks (
        workspace_id ${text} not null,
        document_id ${text} not null,
        ordinal ${integer} not null,
        page ${integer} not null,
        span_start ${integer} not null,
        span_end ${integer} not null,
        text ${text} not null,
        terms tsvector not null,
        primary key (workspace_id, document_id, ordinal)
      )`);
      await context.run(
        raw("create index document_chunks_by_terms on document_chunks using gin (terms)"),
      );
    }
  },
};
