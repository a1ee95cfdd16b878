import { columnType } from "../database/migration.ts";
import type { Migration } from "../database/migration.ts";
import { byDialect, nothing, raw, statement } from "../database/statement.ts";

const { text, integer } = columnType;

/** The search index of records: which terms they hold, and the words of each workspace. */
export const migration: Migration = {
  name: "0010-resource-search",
  async up(context) {
    await context.run(
      statement`alter table object_types add column search_state ${text} not null default 'ready'`,
    );
    // Records that are there already are indexed when their type is first used.
    await context.run(raw("update object_types set search_state = 'building'"));
    if (context.dialect === "sqlite") {
      // The terms need an integer key that VACUUM leaves alone. A type's number implies its
      // workspace, which would only make the index larger.
      await context.run(statement`create table resource_search (
        seq integer primary key,
        type_number ${integer} not null,
        resource_id ${text} not null,
        length ${integer} not null,
        checksum ${integer} not null
      )`);
      await context.run(
        raw(`create unique index resource_search_by_id
          on resource_search (type_number, resource_id)`),
      );
      // Terms come ready made, so the tokenizer only has to split at spaces. Where in a text they
      // stand is not kept: an index without positions is a fraction of the size, and faster.
      await context.run(
        raw(`create virtual table resource_terms using fts5(
          terms, content='', contentless_delete=1, detail=none,
          tokenize="unicode61 remove_diacritics 0 categories 'L* N* Co M* P* S*'"
        )`),
      );
    } else {
      await context.run(statement`create table resource_search (
        workspace_id ${text} not null,
        type_number ${integer} not null,
        resource_id ${text} not null,
        length ${integer} not null,
        checksum ${integer} not null,
        terms tsvector not null,
        primary key (workspace_id, type_number, resource_id)
      )`);
      await context.run(
        raw(`create index resource_search_by_time
          on resource_search (workspace_id, resource_id desc)`),
      );
      await context.run(
        raw("create index resource_search_by_terms on resource_search using gin (terms)"),
      );
      // The planner then knows of ten thousand terms whether they are rare.
      await context.run(raw("alter table resource_search alter column terms set statistics 1000"));
    }
    await context.run(statement`create table resource_words (
      workspace_id ${text} not null,
      triple ${text} not null,
      length ${integer} not null,
      word ${text} not null,
      primary key (workspace_id, triple, length, word)
    )${byDialect({ sqlite: raw(" without rowid"), postgresql: nothing })}`);
  },
};
