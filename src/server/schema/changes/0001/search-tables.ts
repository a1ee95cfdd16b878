import { columnType } from "../../../database/migration.ts";
import { isInScope } from "../../../database/postgresql/row-security.ts";
import {
  byDialect,
  nothing,
  raw,
  statement,
  type Dialect,
  type Statement,
} from "../../../database/statement.ts";

const { text, integer } = columnType;

/** The search index of records and passages, and the words of each workspace. */
export const searchTables = (dialect: Dialect): readonly Statement[] => [
  // Types of records are sources too: their numbers come from the same counter.
  statement`create table source_numbers (
    name ${text} not null primary key,
    last ${integer} not null
  )`,
  statement`create table passage_sources (
    workspace_id ${text} not null primary key,
    number ${integer} not null
  )`,
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
  statement`create table search_entries (
    seq integer primary key,
    source ${integer} not null,
    place ${integer} not null,
    length ${integer} not null,
    checksum ${integer} not null
  )`,
  raw("create unique index search_entries_by_place on search_entries (source, place)"),
  // The platform writes finished terms: the tokenizer only splits at spaces. Positions are not
  // kept, which makes the index a fraction of the size.
  raw(`create virtual table search_terms using fts5(
    terms, content='', contentless_delete=1, detail=none,
    tokenize="unicode61 remove_diacritics 0 categories 'L* N* Co M* P* S*'"
  )`),
  // Each write merges a little, five segments of one size at a time; FTS5's own merge blocks for 40
  // ms.
  raw("insert into search_terms (search_terms, rank) values ('automerge', 0)"),
  raw("insert into search_terms (search_terms, rank) values ('usermerge', 5)"),
];

const postgresqlSearch: readonly Statement[] = [
  statement`create table search_entries (
    workspace_id ${text} not null,
    source ${integer} not null,
    kind ${integer} not null,
    place ${text} not null,
    length ${integer} not null,
    checksum ${integer} not null,
    terms tsvector not null,
    primary key (workspace_id, source, place)
  )`,
  raw("create index search_entries_by_time on search_entries (workspace_id, kind, place desc)"),
  // Every search reads the whole pending list, and the writer that fills it merges it, which takes
  // 300 ms with the server's default of 4 MiB.
  raw(`create index search_entries_by_terms on search_entries using gin (terms)
    with (gin_pending_list_limit = 128)`),
  // Statistics of 2,000 terms find the common ones; 10,000 cost each search a third of a
  // millisecond per term.
  raw("alter table search_entries alter column terms set statistics 200"),
  raw(`create view searched_entries as select * from search_entries where ${isInScope}`),
];
