import { columnType } from "../../database/migration.ts";
import { statement, type Statement } from "../../database/statement.ts";

const { text, integer, json } = columnType;

/** Background work. */
export const jobTables: readonly Statement[] = [
  statement`create table jobs (
    workspace_id ${text} not null,
    id ${text} not null,
    kind ${text} not null,
    state ${text} not null,
    attempt ${integer} not null,
    max_attempts ${integer} not null,
    run_at ${text} not null,
    lease_until ${text},
    payload ${json} not null,
    stages ${json} not null,
    percent_completed ${integer} not null,
    counts ${json} not null,
    error ${json},
    revision ${integer} not null,
    created_by ${text} not null,
    created_at ${text} not null,
    updated_at ${text} not null,
    expires_at ${text},
    primary key (workspace_id, id)
  )`,
  statement`create index jobs_by_time
    on jobs (workspace_id, created_at desc, id desc)`,
  statement`create index jobs_waiting on jobs (run_at, id)
    where state in ('queued', 'interrupted')`,
  statement`create index jobs_running on jobs (lease_until)
    where state = 'running'`,
  statement`create index jobs_expiring on jobs (expires_at)
    where expires_at is not null`,
];
