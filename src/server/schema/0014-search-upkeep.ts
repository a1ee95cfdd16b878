import type { Migration } from "../database/migration.ts";
import { raw } from "../database/statement.ts";

/**
 * PostgreSQL: what new entries add to the index of terms waits in a list, which every search reads
 * through and which whoever fills it has to work off. With the server's 4 MiB that took a writer
 * 300 ms and twice the processor time of a search for a rare word; 128 KiB at a time take a tenth.
 * And statistics of 10,000 terms cost each search a third of a millisecond per term, each analysis
 * nine seconds; of 2,000 they still tell the common terms from those that a few of a thousand have.
 */
export const migration: Migration = {
  name: "0014-search-upkeep",
  async up(context) {
    if (context.dialect === "sqlite") return;
    await context.run(
      raw("alter index resource_search_by_terms set (gin_pending_list_limit = 128)"),
    );
    await context.run(raw("alter table resource_search alter column terms set statistics 200"));
  },
};
