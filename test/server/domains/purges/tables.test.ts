import { expect, test } from "vitest";
import { workspaceTables } from "#server/domains/purges/tables.ts";
import { raw } from "#server/database/statement.ts";
import { describeOnEachDatabase } from "#test/support/databases.ts";

/** Tables of the installation; a purge leaves them. */
const ofInstallation = [
  "authorization_codes",
  "backups",
  "data_moves",
  "device_codes",
  "erasures",
  "external_sign_ins",
  "failed_sign_ins",
  "feed_epochs",
  "grants",
  "id_shares",
  "passkey_challenges",
  "purged_workspaces",
  "recovery_codes",
  "refresh_tokens",
  "second_factors",
  "secrets",
  "sessions",
  "shared_counts",
  "signing_keys",
  "source_numbers",
  "support_drafts",
  "svc_migrations",
  "users",
  "workspace_purges",
];

/** Tables that a purge handles one by one. */
const erasedSeparately = [
  "document_chunks",
  "geo_boxes",
  "object_types",
  "record_boxes",
  "resource_history",
  "resources",
  "search_entries",
  "search_terms",
  "shared_numbers",
  "workspaces",
];

describeOnEachDatabase("the tables of a purge", (open, { engine }) => {
  test("are all tables with content of a workspace", async () => {
    const { read } = await open();
    const rows = await read.all<{ name: string }>(
      engine === "sqlite"
        ? raw(`select name from pragma_table_list where schema = 'main'
            and type in ('table', 'virtual') and name not like 'sqlite_%'`)
        : raw("select tablename as name from pg_tables where schemaname = current_schema()"),
    );
    const purged = (await workspaceTables(read)).map(({ name }) => name);
    const known = new Set([...purged, ...erasedSeparately, ...ofInstallation]);
    // A new table needs a column `workspace_id`, or a place in one of the two lists.
    expect(rows.map(({ name }) => name).filter((name) => !known.has(name))).toEqual([]);
    expect(purged).toContain("members");
  });
});
