import { columnType } from "../../database/migration.ts";
import { statement, type Statement } from "../../database/statement.ts";

const { text, integer } = columnType;

/** The workspace tree, its members, and the first answers of keyed requests. */
export const workspaceTables: readonly Statement[] = [
  statement`create table workspaces (
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
  )`,
  statement`create unique index workspaces_by_slug on workspaces (parent_key, slug)`,
  statement`create table members (
    workspace_id ${text} not null references workspaces (id),
    oid ${text} not null references users (oid),
    id ${text} not null,
    role ${text} not null,
    invited_by ${text},
    created_at ${text} not null,
    updated_at ${text} not null,
    primary key (workspace_id, oid)
  )`,
  statement`create unique index members_by_id on members (workspace_id, id)`,
  statement`create index members_by_user on members (oid)`,
  statement`create table idempotency_keys (
    workspace_id ${text} not null,
    oid ${text} not null,
    key ${text} not null,
    fingerprint ${text} not null,
    status ${integer},
    headers ${text},
    body ${text},
    created_at ${text} not null,
    expires_at ${text} not null,
    primary key (workspace_id, oid, key)
  )`,
  statement`create index idempotency_keys_by_expiry on idempotency_keys (expires_at)`,
];
