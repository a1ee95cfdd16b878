import { columnType, type Migration } from "../../../database/migration.ts";
import { statement } from "../../../database/statement.ts";

const { text, integer } = columnType;

/** An end of each audit log, signed with a key that is not in the database. */
export const migration: Migration = {
  name: "0002-audit-seals",
  async up({ run }) {
    await run(statement`create table audit_seals (
      workspace_id ${text} not null primary key,
      sequence ${integer} not null,
      digest ${text} not null,
      removed_sequence ${integer} not null,
      removed_digest ${text} not null,
      removed_at ${text},
      removed_before ${text},
      sealed_at ${text} not null,
      signature ${text} not null
    )`);
  },
};
