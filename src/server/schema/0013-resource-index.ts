import type { Migration } from "../database/migration.ts";
import { raw } from "../database/statement.ts";

/**
 * SQLite: a type's number implies its workspace. Without it, the index by which every record is found
 * is half as large: more of it, and of the records, stays in memory.
 */
export const migration: Migration = {
  name: "0013-resource-index",
  async up(context) {
    if (context.dialect === "postgresql") return;
    await context.run(raw("drop index resources_by_id"));
    await context.run(raw("create unique index resources_by_id on resources (type_number, id)"));
  },
};
