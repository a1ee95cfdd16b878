import { columnType, type Migration } from "../../../database/migration.ts";
import { statement } from "../../../database/statement.ts";

const { text } = columnType;

/** The position in the feed up to which a person has seen a list of a workspace. */
export const migration: Migration = {
  name: "0030-marks",
  async up({ run }) {
    await run(statement`create table marks (
      workspace_id ${text} not null,
      oid ${text} not null,
      place ${text} not null,
      position ${text} not null,
      seen_at ${text} not null,
      primary key (workspace_id, oid, place)
    )`);
  },
};
