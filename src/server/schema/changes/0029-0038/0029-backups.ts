import { columnType, type Migration } from "../../../database/migration.ts";
import { statement } from "../../../database/statement.ts";

const { text } = columnType;

/**
 * Backups that the platforms of this database have taken by their schedule, with the outcome of
 * their checks. `detail` is JSON for the operator.
 */
export const migration: Migration = {
  name: "0029-backups",
  async up({ run }) {
    await run(statement`create table backups (
      id ${text} not null primary key,
      name ${text},
      state ${text} not null,
      started_at ${text} not null,
      stored_at ${text},
      checked_at ${text},
      detail ${text} not null
    )`);
    await run(statement`create index backups_by_start on backups (started_at)`);
  },
};
