import { columnType, type Migration } from "../../../database/migration.ts";
import { raw, statement } from "../../../database/statement.ts";

const { text, integer } = columnType;

/**
 * The feed of changes for readers outside the platform. Rows of the previous build are for caches
 * too and have no size, because it does not write these columns.
 */
export const migration: Migration = {
  name: "0016-feed",
  async up({ dialect, run }) {
    // Caches of other platforms read only the rows with this flag.
    await run(
      statement`alter table change_batches add column for_caches ${integer} not null default 1`,
    );
    await run(statement`alter table change_batches add column bytes ${integer} not null default 0`);
    await run(statement`create index change_batches_sizes
      on change_batches (workspace_id, number, bytes)`);
    // One row. A position of another epoch says nothing about the rows of this one.
    await run(statement`create table feed_epochs (
      name ${text} not null primary key,
      epoch ${text} not null,
      system ${text} not null,
      began_at ${text} not null
    )`);
    // The newest row that was removed in each workspace: earlier positions have missed it. On
    // PostgreSQL the number is that of its transaction.
    await run(statement`create table feed_floors (
      workspace_id ${text} not null primary key,
      removed ${integer} not null
    )`);
    if (dialect === "sqlite") return;
    await run(
      raw(`create index change_batches_of_workspace on change_batches (workspace_id, xid, number)`),
    );
    await run(
      raw(`create index change_batches_for_caches on change_batches (xid, number)
      where for_caches = 1`),
    );
  },
};
