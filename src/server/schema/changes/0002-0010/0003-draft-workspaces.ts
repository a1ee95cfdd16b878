import { columnType, type Migration } from "../../../database/migration.ts";
import { statement } from "../../../database/statement.ts";

/**
 * The workspace of a draft, so that a purge of the workspace also removes the draft. The name
 * `workspace_id` would bring a policy, which may refuse the drafts of the previous build.
 */
export const migration: Migration = {
  name: "0003-draft-workspaces",
  async up({ run }) {
    await run(statement`alter table support_drafts add column about_workspace ${columnType.text}`);
    await run(statement`create index support_drafts_by_workspace
      on support_drafts (about_workspace)`);
  },
};
