import { columnType } from "../../database/migration.ts";
import { statement, type Statement } from "../../database/statement.ts";

const { text, integer } = columnType;

/** Files of records, and bytes that are to be removed from the file store. */
export const fileTables: readonly Statement[] = [
  statement`create table resource_files (
    workspace_id ${text} not null,
    resource_id ${text} not null,
    property ${text} not null,
    type_number ${integer} not null,
    filename ${text} not null,
    content_type ${text} not null,
    size ${integer} not null,
    sha256 ${text} not null,
    primary key (workspace_id, resource_id, property)
  )`,
  statement`create index resource_files_by_content
    on resource_files (workspace_id, sha256)`,
  statement`create table blob_removals (
    workspace_id ${text} not null,
    sha256 ${text} not null,
    size ${integer} not null,
    claimed_by ${text},
    claimed_until ${text},
    removed_at ${text},
    removals ${integer} not null,
    primary key (workspace_id, sha256)
  )`,
  statement`create index blob_removals_open on blob_removals (workspace_id, sha256)
    where removed_at is null`,
  statement`create index blob_removals_ended on blob_removals (removed_at)
    where removed_at is not null`,
];
