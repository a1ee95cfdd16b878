import { columnType, type Migration } from "../../../database/migration.ts";
import { byDialect, nothing, raw, statement } from "../../../database/statement.ts";

const { text, integer } = columnType;

/**
 * The records that each record refers to, for references whose `onDelete` is in effect. Types of
 * the previous build keep references (`on_delete`) and have no links (`links_state`).
 */
export const migration: Migration = {
  name: "0010-record-links",
  async up({ run }) {
    await run(
      statement`alter table object_types add column on_delete ${text} not null default 'keep'`,
    );
    await run(
      statement`alter table object_types add column links_state ${text} not null default 'none'`,
    );
    // The deletion that a write is part of.
    await run(statement`alter table resource_history add column operation_id ${text}`);
    await run(statement`create table record_links (
      workspace_id ${text} not null,
      type_number ${integer} not null,
      path ${text} not null,
      target_id ${text} not null,
      source_id ${text} not null,
      primary key (workspace_id, type_number, path, target_id, source_id)
    )${byDialect({ sqlite: raw(" without rowid"), postgresql: nothing })}`);
  },
};
