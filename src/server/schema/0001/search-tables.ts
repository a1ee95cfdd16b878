import { columnType } from "../../database/migration.ts";
import { isInScope } from "../../database/postgresql/row-security.ts";
import {
  byDialect,
  nothing,
  raw,
  statement,
  type Dialect,
  type Statement,
} from "../../database/statement.ts";

const { text, integer } = columnType;

/** The search index of records, and the words of each workspace. */
export const searchTables = (dialect: Dialect): readonly Statement[] => [
  ...(dialect === "sqlite" ? sqliteSearch : postgresqlSearch),
  statement`create table search_words (
    workspace_id ${text} not null,
    triple ${text} not null,
    length ${integer} not null,
    word ${text} not null,
    primary key (workspace_id, triple, length, word)
  )${byDialect({ sqlite: raw(" without rowid"), postgresql: nothing })}`,
];

const sqliteSearch: readonly Statement[] = [
  // The terms need an integer key that VACUUM keeps.
  statement`create table resource_search (
    seq integer primary key,
    type_number ${integer} not null,
    record_number ${integer} not null,
    length ${integer} not null,
    checksum ${integer} not null
  )`,
  raw(`create unique index resource_search_by_record
    on resource_search (type_number, record_number)`),
  // The platform writes finished terms: the tokenizer only splits at spaces. Positions are not
  // kept, which makes the index a fraction of the size.
  raw(`create virtual table resource_terms using fts5(
    terms, content='', contentless_delete=1, detail=none,
    tokenize="unicode61 remove_diacritics 0 categories 'L* N* Co M* P* S*'"
  )`),
  // Each write merges a little, five segments of one size at a time; FTS5's own merge blocks for 40
  // ms.
  raw("insert into resource_terms (resource_terms, rank) values ('automerge', 0)"),
  raw("insert into resource_terms (resource_terms, rank) values ('usermerge', 5)"),
];

const postgresqlSearch: readonly Statement[] = [
  statement`create table resource_search (
    workspace_id ${text} not null,
    type_number ${integer} not null,
    resource_id ${text} not null,
    length ${integer} not null,
    checksum ${integer} not null,
    terms tsvector not null,
    primary key (workspace_id, type_number, resource_id)
  )`,
  raw(`create index resource_search_by_time
    on resource_search (workspace_id, resource_id desc)`),
  // Every search reads the whole pending list, and the writer that fills it works it off: with the
  // server's 4 MiB that took a writer 300 ms.
  raw(`create index resource_search_by_terms on resource_search using gin (terms)
    with (gin_pending_list_limit = 128)`),
  // 2,000 terms tell the common ones; 10,000 cost each search a third of a millisecond per term.
  raw("alter table resource_search alter column terms set statistics 200"),
  raw(`create view searched_records as select * from resource_search where ${isInScope}`),
];
