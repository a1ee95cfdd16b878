import { columnType } from "../../../database/migration.ts";
import { raw, statement, type Statement } from "../../../database/statement.ts";

const { text, integer, json } = columnType;

/** The columns that a list of members sorts by, each with an index; see `members/store.ts`. */
const sortedColumns = [
  "email_key",
  "display_name",
  "first_name",
  "last_name",
  "role",
  "status",
  "created_at",
];

/**
 * Roles by groups of an external provider, the users whom no rule may bring back, and the time of
 * the newest token that was applied for a user.
 */
const groupRuleTables: readonly Statement[] = [
  statement`create table group_rules (
    workspace_id ${text} not null references workspaces (id),
    id ${text} not null,
    issuer ${text} not null,
    claim ${text} not null,
    value ${text} not null,
    role ${text} not null,
    role_definition_id ${text},
    created_by ${text} not null,
    created_at ${text} not null,
    updated_at ${text} not null,
    primary key (workspace_id, id)
  )`,
  statement`create unique index group_rules_by_group
    on group_rules (issuer, claim, value, workspace_id)`,
  statement`create index group_rules_by_time
    on group_rules (workspace_id, created_at desc, id desc)`,
  statement`create table group_rule_exclusions (
    workspace_id ${text} not null references workspaces (id),
    oid ${text} not null,
    created_at ${text} not null,
    primary key (workspace_id, oid)
  )`,
  statement`create index group_rule_exclusions_by_user on group_rule_exclusions (oid)`,
  statement`create table external_sign_ins (
    oid ${text} not null primary key references users (oid),
    issued_at ${integer} not null
  )`,
];

/**
 * Members, the roles that a workspace defines, and invitations. A member has a copy of the user's
 * names, so that a page of a long list is a range of an index.
 */
export const memberTables: readonly Statement[] = [
  statement`create table role_definitions (
    workspace_id ${text} not null references workspaces (id),
    id ${text} not null,
    key ${text} not null,
    display_name ${text} not null,
    description ${text},
    role ${text} not null,
    permissions ${json} not null,
    created_by ${text} not null,
    created_at ${text} not null,
    updated_at ${text} not null,
    primary key (workspace_id, id)
  )`,
  statement`create unique index role_definitions_by_key on role_definitions (workspace_id, key)`,
  statement`create table members (
    workspace_id ${text} not null references workspaces (id),
    oid ${text} not null references users (oid),
    id ${text} not null,
    role ${text} not null,
    role_definition_id ${text},
    status ${text} not null,
    email ${text} not null,
    email_key ${text} not null,
    display_name ${text} not null,
    first_name ${text} not null,
    last_name ${text} not null,
    search_text ${text} not null,
    invited_by ${text},
    rule_id ${text},
    created_at ${text} not null,
    updated_at ${text} not null,
    primary key (workspace_id, oid)
  )`,
  statement`create unique index members_by_id on members (workspace_id, id)`,
  statement`create index members_by_user on members (oid, status, workspace_id, role)`,
  ...sortedColumns.map((column) =>
    raw(`create index members_by_${column} on members (workspace_id, ${column}, id)`),
  ),
  statement`create index members_by_definition on members (workspace_id, role_definition_id)
    where role_definition_id is not null`,
  statement`create index members_by_rule on members (workspace_id, rule_id)
    where rule_id is not null`,
  ...groupRuleTables,
  statement`create table invitations (
    workspace_id ${text} not null references workspaces (id),
    id ${text} not null,
    email ${text} not null,
    email_key ${text} not null,
    role ${text} not null,
    role_definition_id ${text},
    first_name ${text},
    last_name ${text},
    message ${text},
    redirect_uri ${text},
    secret_hash ${text} not null,
    state ${text} not null,
    delivery ${text} not null,
    invited_by ${text} not null,
    decided_by ${text},
    created_at ${text} not null,
    updated_at ${text} not null,
    expires_at ${text} not null,
    primary key (workspace_id, id)
  )`,
  statement`create unique index invitations_by_secret on invitations (secret_hash)`,
  statement`create unique index invitations_pending on invitations (workspace_id, email_key)
    where state = 'pending'`,
  statement`create index invitations_by_time on invitations (workspace_id, created_at desc, id desc)
    where state = 'pending'`,
  statement`create index invitations_by_expiry on invitations (expires_at)`,
  statement`create index invitations_unsent on invitations (updated_at)
    where delivery = 'mail-pending'`,
];
