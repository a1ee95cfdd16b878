import { columnType } from "../../../database/migration.ts";
import { raw, statement, type Dialect, type Statement } from "../../../database/statement.ts";

const { text, integer } = columnType;

const tables: readonly Statement[] = [
  // The workspace is empty for what belongs to the platform.
  statement`create table audit_entries (
    workspace_id ${text} not null,
    sequence ${integer} not null,
    at ${text} not null,
    request_id ${text} not null,
    actor ${text} not null,
    actor_name ${text},
    action ${text} not null,
    outcome ${text} not null,
    status ${integer} not null,
    code ${text},
    method ${text} not null,
    path ${text} not null,
    address ${text} not null,
    changes ${text},
    digest ${text} not null,
    primary key (workspace_id, sequence)
  )`,
  statement`create index audit_refusals on audit_entries (workspace_id, sequence)
    where outcome <> 'done'`,
  // The end of each log, and of the part that the retention has removed.
  statement`create table audit_heads (
    workspace_id ${text} not null primary key,
    sequence ${integer} not null,
    digest ${text} not null,
    removed_sequence ${integer} not null,
    removed_digest ${text} not null
  )`,
];

const message = "audit entries never change";

/** Entries are inserted, and removed by the retention or with their workspace. */
const appendOnly: Readonly<Record<Dialect, readonly Statement[]>> = {
  sqlite: [
    raw(`create trigger audit_entries_stay before update on audit_entries
      begin select raise(abort, '${message}'); end`),
  ],
  postgresql: [
    raw(`create function audit_entries_stay() returns trigger language plpgsql as
      $$ begin raise exception '${message}'; end $$`),
    raw(`create trigger audit_entries_stay before update on audit_entries
      for each row execute function audit_entries_stay()`),
  ],
};

/** The audit log: append-only, and chained by digests in each workspace. */
export function auditTables(dialect: Dialect): readonly Statement[] {
  return [...tables, ...appendOnly[dialect]];
}
