import { columnType, type Migration } from "../database/migration.ts";
import { statement } from "../database/statement.ts";

const { text, integer } = columnType;

/** The workspace tree and who is in it. */
export const migration: Migration = {
  name: "0002-workspaces",
  async up(context) {
    await context.run(statement`create table workspaces (
      id ${text} not null primary key,
      parent_id ${text} references workspaces (id),
      parent_key ${text} not null,
      depth ${integer} not null,
      slug ${text} not null,
      display_name ${text} not null,
      domain ${text},
      usecase ${text} not null,
      industry ${text},
      starter_template ${text} not null,
      home_region ${text} not null,
      created_by ${text} not null,
      created_at ${text} not null,
      updated_at ${text} not null
    )`);
    await context.run(
      statement`create unique index workspaces_by_slug on workspaces (parent_key, slug)`,
    );
    await context.run(statement`create table members (
      workspace_id ${text} not null references workspaces (id),
      oid ${text} not null references users (oid),
      id ${text} not null,
      role ${text} not null,
      invited_by ${text},
      created_at ${text} not null,
      updated_at ${text} not null,
      primary key (workspace_id, oid)
    )`);
    await context.run(statement`create unique index members_by_id on members (workspace_id, id)`);
    await context.run(statement`create index members_by_user on members (oid)`);
  },
};
