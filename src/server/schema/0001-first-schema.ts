import type { Migration } from "../database/migration.ts";
import { chatTables } from "./0001/chat-tables.ts";
import { documentTables } from "./0001/document-tables.ts";
import { fileTables } from "./0001/file-tables.ts";
import { identityTables } from "./0001/identity-tables.ts";
import { jobTables } from "./0001/job-tables.ts";
import { recordTables } from "./0001/record-tables.ts";
import { searchTables } from "./0001/search-tables.ts";
import { workspaceTables } from "./0001/workspace-tables.ts";

/**
 * Every table and index. Row types are the same on both engines: ids are text (UUIDv7), times are
 * text (RFC 3339, UTC, milliseconds), flags are 0 or 1, JSON is written with `jsonValue` and read
 * with `jsonText`. The workspace is first in every key.
 */
export const migration: Migration = {
  name: "0001-first-schema",
  async up(context) {
    const { dialect } = context;
    const statements = [
      ...identityTables,
      ...workspaceTables,
      ...recordTables(dialect),
      ...searchTables(dialect),
      ...fileTables,
      ...documentTables(dialect),
      ...jobTables,
      ...chatTables,
    ];
    for (const statement of statements) await context.run(statement);
  },
};
