import { columnType, type Migration } from "../database/migration.ts";
import { isInScope } from "../database/postgresql/row-security.ts";
import { byDialect, raw, statement } from "../database/statement.ts";

const { text, json } = columnType;

/**
 * One row for each transaction and workspace. On SQLite the number is the order of commits. On
 * PostgreSQL a later number may commit first, so that readers go by the transaction.
 */
export const migration: Migration = {
  name: "0004-change-batches",
  async up({ dialect, run }) {
    const number = byDialect({
      // A number is never used again after the sweep.
      sqlite: raw("integer primary key autoincrement"),
      postgresql: raw("bigint generated always as identity primary key"),
    });
    const transaction = byDialect({
      sqlite: raw(""),
      postgresql: raw("xid xid8 not null default pg_current_xact_id(),"),
    });
    await run(statement`create table change_batches (
      number ${number},
      ${transaction}
      workspace_id ${text} not null,
      at ${text} not null,
      events ${json} not null
    )`);
    await run(statement`create index change_batches_by_workspace
      on change_batches (workspace_id, number)`);
    if (dialect === "sqlite") return;
    await run(
      statement`create index change_batches_by_transaction on change_batches (xid, number)`,
    );
    await run(raw("alter table change_batches enable row level security"));
    await run(raw("alter table change_batches force row level security"));
    // Requests of a workspace also change what belongs to the installation, but never read it.
    await run(
      raw(`create policy svc_workspaces on change_batches using ${isInScope}
        with check (${isInScope} or workspace_id = '*')`),
    );
  },
};
