import { columnType, type Migration } from "../../../database/migration.ts";
import { raw, statement } from "../../../database/statement.ts";

const { text, integer } = columnType;

/**
 * Sizes of the feed's rows by workspace on SQLite, which the platform stores for some hundred rows
 * at once: an index of the rows is another page of each transaction. The previous build reads and
 * writes the feed without the index too, by the numbers of the rows.
 */
export const migration: Migration = {
  name: "0049-feed-sizes",
  needs: "0048-several-rotations",
  async up({ dialect, run }) {
    if (dialect === "postgresql") return;
    await run(statement`create table feed_sizes (
      workspace_id ${text} not null,
      number ${integer} not null,
      bytes ${integer} not null,
      primary key (workspace_id, number)
    ) without rowid`);
    // Rows with later numbers have no size yet. Sizes of another epoch are of removed rows.
    await run(statement`alter table feed_epochs add column sized_to ${integer} not null default 0`);
    await run(statement`alter table feed_epochs add column sized_epoch ${text}`);
    await run(raw("drop index if exists change_batches_sizes"));
  },
};
