import type { Migration } from "../database/migration.ts";
import { raw } from "../database/statement.ts";

/**
 * PostgreSQL: for statistics of a thousand types it read, and held, 300,000 whole records; a fifth of
 * that knows the two hundred largest types, and all others to be smaller than these.
 */
export const migration: Migration = {
  name: "0012-resource-statistics",
  async up(context) {
    if (context.dialect === "sqlite") return;
    await context.run(raw("alter table resources alter column type_number set statistics 200"));
  },
};
