import { columnType } from "../database/migration.ts";
import type { Migration } from "../database/migration.ts";
import { statement } from "../database/statement.ts";

const { text, integer, json } = columnType;

export const migration: Migration = {
  name: "0005-jobs",
  async up(context) {
    await context.run(statement`create table jobs (
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
    )`);
    await context.run(statement`create index jobs_by_time
      on jobs (workspace_id, created_at desc, id desc)`);
    // The queue looks across workspaces: on Citus this table stays on the coordinator, whole.
    await context.run(statement`create index jobs_waiting on jobs (run_at, id)
      where state in ('queued', 'interrupted')`);
    await context.run(statement`create index jobs_running on jobs (lease_until)
      where state = 'running'`);
    await context.run(statement`create index jobs_expiring on jobs (expires_at)
      where expires_at is not null`);
  },
};
