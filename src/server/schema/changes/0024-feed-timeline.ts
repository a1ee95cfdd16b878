import type { Migration } from "../../database/migration.ts";
import { raw } from "../../database/statement.ts";

/**
 * The timeline of a PostgreSQL cluster, as the epoch of the feed has it: a standby that takes over
 * may lack changes that readers have seen. It is empty on servers that do not report it.
 */
export const migration: Migration = {
  name: "0024-feed-timeline",
  async up({ dialect, run }) {
    if (dialect === "sqlite") return;
    await run(
      raw(`create function svc_timeline() returns text language plpgsql stable as $$
        begin
          return ltrim(left(pg_walfile_name(pg_current_wal_lsn()), 8), '0');
        exception when others then
          return '';
        end $$`),
    );
  },
};
