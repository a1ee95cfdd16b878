import { columnType, type Migration } from "../database/migration.ts";
import { statement } from "../database/statement.ts";

const { text, integer } = columnType;

/** Files on records' properties, and the bytes that are on their way out of the file store. */
export const migration: Migration = {
  name: "0009-resource-files",
  async up(context) {
    await context.run(statement`create table resource_files (
      workspace_id ${text} not null,
      resource_id ${text} not null,
      property ${text} not null,
      type_number ${integer} not null,
      filename ${text} not null,
      content_type ${text} not null,
      size ${integer} not null,
      sha256 ${text} not null,
      primary key (workspace_id, resource_id, property)
    )`);
    await context.run(statement`create index resource_files_by_content
      on resource_files (workspace_id, sha256)`);
    await context.run(statement`create table blob_removals (
      workspace_id ${text} not null,
      sha256 ${text} not null,
      size ${integer} not null,
      claimed_by ${text},
      claimed_until ${text},
      removed_at ${text},
      removals ${integer} not null,
      primary key (workspace_id, sha256)
    )`);
  },
};
