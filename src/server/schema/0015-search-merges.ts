import type { Migration } from "../database/migration.ts";
import { raw } from "../database/statement.ts";

/**
 * SQLite: the index of terms is merged by those who write to it, a little each time (see
 * `search-entries.ts`), five segments of one size at a time. FTS5's own way, off now, was to do so for
 * 40 ms at once.
 */
export const migration: Migration = {
  name: "0015-search-merges",
  async up(context) {
    if (context.dialect === "postgresql") return;
    for (const [option, value] of [
      ["automerge", 0],
      ["usermerge", 5],
    ]) {
      await context.run(
        raw(`insert into resource_terms (resource_terms, rank) values ('${option}', ${value})`),
      );
    }
  },
};
