import { columnType, type Migration } from "../../../database/migration.ts";
import { raw, statement } from "../../../database/statement.ts";

const { text, integer } = columnType;

/**
 * The version of the terms that all search entries of a source have; 0 for those of an earlier
 * build, which searches find by their former terms until they are written again.
 */
export const migration: Migration = {
  name: "0041-search-terms",
  async up({ run }) {
    for (const table of ["object_types", "passage_sources"]) {
      await run(statement`alter table ${raw(table)}
        add column search_terms ${integer} not null default 0`);
    }
    // The last document whose passages are written again.
    await run(statement`alter table passage_sources
      add column rewritten_to ${text} not null default ''`);
  },
};
