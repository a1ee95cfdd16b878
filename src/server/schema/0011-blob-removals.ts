import type { Migration } from "../database/migration.ts";
import { raw } from "../database/statement.ts";

/** Removals that ended stay for a while: those to come, and those to forget, are found without them. */
export const migration: Migration = {
  name: "0011-blob-removals",
  async up(context) {
    await context.run(
      raw(`create index blob_removals_open on blob_removals (workspace_id, sha256)
        where removed_at is null`),
    );
    await context.run(
      raw(`create index blob_removals_ended on blob_removals (removed_at)
        where removed_at is not null`),
    );
  },
};
