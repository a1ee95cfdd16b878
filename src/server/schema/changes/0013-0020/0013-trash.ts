import { columnType, type Migration } from "../../../database/migration.ts";
import { byDialect, raw, statement } from "../../../database/statement.ts";

const { text, integer } = columnType;

/** Deleted records and files that can be restored, until a time. */
export const migration: Migration = {
  name: "0013-trash",
  async up({ run }) {
    // `root_id` is the record whose deletion has also deleted this one.
    await run(statement`create table deleted_records (
      workspace_id ${text} not null,
      type_number ${integer} not null,
      id ${text} not null,
      version ${integer} not null,
      operation_id ${text} not null,
      root_id ${text},
      deleted_at ${text} not null,
      deleted_by ${text} not null,
      restorable_until ${text} not null,
      primary key (workspace_id, type_number, id)
    )`);
    await run(statement`create index deleted_records_by_time
      on deleted_records (workspace_id, type_number, deleted_at desc, id desc)`);
    await run(statement`create index deleted_records_by_operation
      on deleted_records (workspace_id, operation_id)`);
    await run(statement`create index deleted_records_by_end on deleted_records (restorable_until)`);
    // Its property is followed by "@" and the last version that had it.
    await run(statement`alter table resource_files add column kept_until ${text}`);
    await run(statement`create index resource_files_kept on resource_files (kept_until)
      where kept_until is not null`);
    await run(
      statement`create index resource_history_by_operation on resource_history (${byDialect({
        sqlite: raw("operation_id"),
        postgresql: raw("workspace_id, operation_id"),
      })}) where operation_id is not null`,
    );
    await run(statement`alter table documents add column trashed_until ${text}`);
    // The status before, which it gets again.
    await run(statement`alter table documents add column trashed_status ${text}`);
    await run(statement`create index documents_trashed on documents (trashed_until)
      where trashed_until is not null`);
  },
};
