import { columnType, type Migration } from "../../../database/migration.ts";
import { statement } from "../../../database/statement.ts";

/** The IANA time zone of each workspace; the rows of the previous build have UTC. */
export const migration: Migration = {
  name: "0015-time-zones",
  async up({ run }) {
    await run(
      statement`alter table workspaces add column time_zone ${columnType.text} not null default 'UTC'`,
    );
  },
};
