import { columnType, type Migration } from "#server/database/migration.ts";
import { statement } from "#server/database/statement.ts";

/** One table with rows of workspaces. */
export const notes: Migration = {
  name: "0001-notes",
  up: (context) =>
    context.run(statement`create table if not exists notes (
      workspace_id ${columnType.text} not null, text ${columnType.text} not null)`),
};
