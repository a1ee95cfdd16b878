import { columnType } from "../../../database/migration.ts";
import { statement, type Statement } from "../../../database/statement.ts";

const { text } = columnType;

/** Keys of service accounts with their workspaces, and apps that sign users in. */
export const keyTables: readonly Statement[] = [
  statement`create table service_keys (
    workspace_id ${text} not null references workspaces (id),
    id ${text} not null primary key,
    name ${text} not null,
    token_hash ${text} not null,
    created_by ${text} not null,
    created_at ${text} not null,
    expires_at ${text},
    revoked_at ${text},
    last_used_at ${text}
  )`,
  statement`create unique index service_keys_by_token on service_keys (token_hash)`,
  statement`create index service_keys_by_workspace on service_keys (workspace_id)`,
  statement`create table service_key_grants (
    workspace_id ${text} not null references workspaces (id),
    key_id ${text} not null,
    role ${text} not null,
    role_definition_id ${text},
    created_at ${text} not null,
    primary key (workspace_id, key_id)
  )`,
  statement`create index service_key_grants_by_key on service_key_grants (key_id)`,
  statement`create index service_key_grants_by_time
    on service_key_grants (workspace_id, created_at desc, key_id desc)`,
  statement`create table idp_apps (
    workspace_id ${text} not null references workspaces (id),
    client_id ${text} not null primary key,
    app_key ${text} not null,
    display_name ${text} not null,
    redirect_uris ${text} not null,
    post_logout_redirect_uris ${text} not null,
    secret_hash ${text} not null,
    secret_created_at ${text} not null,
    next_secret_hash ${text},
    next_secret_created_at ${text},
    state ${text} not null,
    created_by ${text} not null,
    created_at ${text} not null,
    updated_at ${text} not null
  )`,
  statement`create unique index idp_apps_by_key on idp_apps (workspace_id, app_key)`,
  statement`create index idp_apps_by_time
    on idp_apps (workspace_id, created_at desc, client_id desc)`,
];
