import type { Migration } from "../../../database/migration.ts";
import { raw } from "../../../database/statement.ts";

/**
 * Removes an index of the feed whose columns begin another one: `change_batches_sizes` serves the
 * same reads, and each write of one transaction alone changes a page less.
 */
export const migration: Migration = {
  name: "0034-feed-index",
  async up({ run }) {
    await run(raw("drop index if exists change_batches_by_workspace"));
  },
};
