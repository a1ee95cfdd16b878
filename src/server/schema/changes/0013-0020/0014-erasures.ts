import { columnType, type Migration } from "../../../database/migration.ts";
import { statement } from "../../../database/statement.ts";

const { text } = columnType;

/**
 * The ids of erased records and documents. They outlive their workspace, because a restored backup
 * may still have it: the name `workspace_id` would let its purge remove them.
 */
export const migration: Migration = {
  name: "0014-erasures",
  async up({ run }) {
    await run(statement`create table erasures (
      about_workspace ${text} not null,
      kind ${text} not null,
      id ${text} not null,
      erased_at ${text} not null,
      erased_by ${text} not null,
      settled_at ${text},
      primary key (about_workspace, kind, id)
    )`);
    await run(statement`create index erasures_by_time on erasures (erased_at)`);
    await run(statement`create index erasures_open on erasures (erased_at)
      where settled_at is null`);
  },
};
