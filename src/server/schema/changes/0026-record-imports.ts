import { columnType, type Migration } from "../../database/migration.ts";
import { statement } from "../../database/statement.ts";

const { text, integer } = columnType;

/** The progress of imports of records, so that an interrupted one continues. */
export const migration: Migration = {
  name: "0026-record-imports",
  async up({ run }) {
    await run(statement`create table record_imports (
      workspace_id ${text} not null,
      id ${text} not null,
      type_slug ${text} not null,
      digest ${text} not null,
      filename ${text} not null,
      last_row ${integer} not null,
      refused ${text} not null,
      created_count ${integer} not null,
      updated_count ${integer} not null,
      ended_at ${text},
      version ${integer} not null,
      created_by ${text} not null,
      created_at ${text} not null,
      updated_at ${text} not null,
      expires_at ${text} not null,
      primary key (workspace_id, id)
    )`);
    await run(statement`create index record_imports_by_digest on record_imports
      (workspace_id, created_by, digest)`);
    await run(statement`create index record_imports_by_end on record_imports (expires_at)`);
  },
};
