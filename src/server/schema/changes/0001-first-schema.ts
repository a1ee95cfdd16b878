import { columnType, type Migration } from "../../database/migration.ts";
import { raw, statement, type Statement } from "../../database/statement.ts";
import { auditTables } from "./0001/audit-tables.ts";
import { documentTables } from "./0001/document-tables.ts";
import { keyTables } from "./0001/key-tables.ts";
import { memberTables } from "./0001/member-tables.ts";
import { recordTables } from "./0001/record-tables.ts";
import { searchTables } from "./0001/search-tables.ts";
import { understandingTables } from "./0001/understanding-tables.ts";

const { text, integer, json } = columnType;

/** Users and their sign-ins. Codes and tokens are kept as digests only. */
const identityTables: readonly Statement[] = [
  statement`create table users (
    oid ${text} not null primary key,
    issuer ${text} not null,
    subject ${text} not null,
    email ${text} not null,
    email_key ${text} not null,
    display_name ${text} not null,
    first_name ${text},
    last_name ${text},
    password_hash ${text},
    password_state ${text} not null,
    password_expires_at ${text},
    system_admin ${integer} not null,
    activated_at ${text},
    disabled_at ${text},
    token_generation ${integer} not null default 0,
    created_at ${text} not null,
    updated_at ${text} not null
  )`,
  statement`create unique index users_by_subject on users (issuer, subject)`,
  statement`create unique index users_by_email on users (email_key) where issuer = ''`,
  statement`create table signing_keys (
    kid ${text} not null primary key,
    algorithm ${text} not null,
    public_key ${text} not null,
    private_key ${text} not null,
    created_at ${text} not null,
    signs_from ${text} not null
  )`,
  statement`create table secrets (
    name ${text} not null primary key,
    value ${text} not null,
    created_at ${text} not null
  )`,
  statement`create table sessions (
    id_hash ${text} not null primary key,
    oid ${text} not null,
    signed_in_at ${text} not null,
    expires_at ${text} not null
  )`,
  statement`create table authorization_codes (
    code_hash ${text} not null primary key,
    client_id ${text} not null,
    oid ${text} not null,
    redirect_uri ${text} not null,
    code_challenge ${text} not null,
    nonce ${text},
    scope ${text} not null,
    signed_in_at ${text} not null,
    expires_at ${text} not null,
    grant_id ${text}
  )`,
  statement`create table grants (
    id ${text} not null primary key,
    client_id ${text} not null,
    oid ${text} not null,
    scope ${text} not null,
    signed_in_at ${text} not null,
    created_at ${text} not null,
    revoked_at ${text},
    device ${text},
    last_used_at ${text}
  )`,
  statement`create index grants_by_client on grants (client_id)`,
  statement`create index grants_by_user on grants (oid, created_at desc, id desc)`,
  statement`create table refresh_tokens (
    token_hash ${text} not null primary key,
    grant_id ${text} not null,
    created_at ${text} not null,
    expires_at ${text} not null,
    parent_hash ${text},
    used_at ${text},
    retired_at ${text}
  )`,
  statement`create table device_codes (
    device_code_hash ${text} not null primary key,
    user_code ${text} not null unique,
    client_id ${text} not null,
    scope ${text} not null,
    state ${text} not null,
    oid ${text},
    signed_in_at ${text},
    interval_seconds ${integer} not null,
    polled_at ${text},
    expires_at ${text} not null
  )`,
  // The key file protects the secrets of apps; of a passkey only its public key is here.
  statement`create table second_factors (
    id ${text} not null primary key,
    oid ${text} not null,
    kind ${text} not null,
    name ${text} not null,
    state ${text} not null,
    sealed_secret ${text},
    last_step ${integer} not null,
    host ${text},
    credential_id ${text},
    public_key ${text},
    counter ${integer} not null,
    transports ${text},
    created_at ${text} not null,
    expires_at ${text},
    last_used_at ${text}
  )`,
  statement`create index second_factors_by_user on second_factors (oid, created_at, id)`,
  statement`create unique index second_factors_by_credential on second_factors (credential_id)
    where credential_id is not null`,
  statement`create index second_factors_by_expiry on second_factors (expires_at)
    where expires_at is not null`,
  statement`create table recovery_codes (
    oid ${text} not null,
    code_hash ${text} not null,
    created_at ${text} not null,
    used_at ${text},
    primary key (oid, code_hash)
  )`,
  // A challenge answers one request of a browser for a passkey.
  statement`create table passkey_challenges (
    challenge_hash ${text} not null primary key,
    oid ${text} not null,
    purpose ${text} not null,
    expires_at ${text} not null
  )`,
  statement`create index passkey_challenges_by_expiry on passkey_challenges (expires_at)`,
  // A draft is a report of `svc support` until its page opens it.
  statement`create table support_drafts (
    id ${text} not null primary key,
    token_hash ${text} not null,
    oid ${text} not null,
    organisation_location ${text},
    bundle ${text} not null,
    created_at ${text} not null,
    expires_at ${text} not null
  )`,
  statement`create index support_drafts_by_user on support_drafts (oid, expires_at)`,
  statement`create index support_drafts_by_expiry on support_drafts (expires_at)`,
  ...["sessions", "authorization_codes", "refresh_tokens", "device_codes"].map((table) =>
    raw(`create index ${table}_by_expiry on ${table} (expires_at)`),
  ),
  statement`create index refresh_tokens_by_grant on refresh_tokens (grant_id)`,
];

/** The workspace tree, its members, and the first answers of keyed requests. */
const workspaceTables: readonly Statement[] = [
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
    updated_at ${text} not null,
    deleted_at ${text},
    deleted_by ${text},
    purge_at ${text},
    purge_id ${text}
  )`,
  statement`create unique index workspaces_by_slug on workspaces (parent_key, slug)`,
  statement`create index workspaces_deleted on workspaces (purge_at) where purge_at is not null`,
  statement`create index workspaces_purged on workspaces (purge_id, depth)
    where purge_id is not null`,
  // A purge and its receipt; it has no name of what it removed.
  statement`create table workspace_purges (
    id ${text} not null primary key,
    root_id ${text} not null,
    parent_id ${text},
    state ${text} not null,
    counts ${text} not null,
    pending_files ${text} not null,
    requested_by ${text} not null,
    claimed_by ${text},
    claimed_until ${text},
    created_at ${text} not null,
    finished_at ${text},
    settle_at ${text}
  )`,
  statement`create index workspace_purges_by_root on workspace_purges (root_id)`,
  statement`create index workspace_purges_open on workspace_purges (created_at)
    where state <> 'settled'`,
  statement`create table purged_workspaces (
    id ${text} not null primary key,
    purge_id ${text} not null
  )`,
  statement`create index purged_workspaces_by_purge on purged_workspaces (purge_id, id)`,
  ...memberTables,
  ...keyTables,
  // A limit that is null does not apply.
  statement`create table workspace_quotas (
    workspace_id ${text} not null primary key,
    bytes ${integer},
    records ${integer},
    documents ${integer},
    requests ${integer}
  )`,
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

/** Files of records, and bytes that are to be removed from the file store. */
const fileTables: readonly Statement[] = [
  statement`create table resource_files (
    workspace_id ${text} not null,
    resource_id ${text} not null,
    property ${text} not null,
    type_number ${integer} not null,
    filename ${text} not null,
    content_type ${text} not null,
    size ${integer} not null,
    sha256 ${text} not null,
    primary key (workspace_id, resource_id, property)
  )`,
  statement`create index resource_files_by_content
    on resource_files (workspace_id, sha256)`,
  statement`create table blob_removals (
    workspace_id ${text} not null,
    sha256 ${text} not null,
    size ${integer} not null,
    claimed_by ${text},
    claimed_until ${text},
    removed_at ${text},
    removals ${integer} not null,
    primary key (workspace_id, sha256)
  )`,
  statement`create index blob_removals_open on blob_removals (workspace_id, sha256)
    where removed_at is null`,
  statement`create index blob_removals_ended on blob_removals (removed_at)
    where removed_at is not null`,
];

/** The queue of background work. */
const jobTables: readonly Statement[] = [
  statement`create table jobs (
    workspace_id ${text} not null,
    id ${text} not null,
    kind ${text} not null,
    state ${text} not null,
    attempt ${integer} not null,
    max_attempts ${integer} not null,
    run_at ${text} not null,
    lease_until ${text},
    claimed_by ${text},
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
  statement`create index jobs_waiting_by_workspace on jobs (workspace_id)
    where state in ('queued', 'interrupted')`,
  statement`create index jobs_running on jobs (lease_until)
    where state = 'running'`,
  statement`create index jobs_expiring on jobs (expires_at)
    where expires_at is not null`,
];

/** Requests of workspaces for workflows, one for each key. */
const workflowTables: readonly Statement[] = [
  statement`create table workflow_requests (
    workspace_id ${text} not null,
    workflow_key ${text} not null,
    id ${text} not null,
    display_name ${text},
    reason ${text},
    requested_by ${text} not null,
    created_at ${text} not null,
    primary key (workspace_id, workflow_key)
  )`,
];

/** The conversations of users, and their messages. */
const chatTables: readonly Statement[] = [
  statement`create table conversations (
    workspace_id ${text} not null,
    id ${text} not null,
    owner ${text} not null,
    workflow_id ${text} not null,
    stage ${text} not null,
    title ${text} not null,
    message_count ${integer} not null,
    created_at ${text} not null,
    updated_at ${text} not null,
    primary key (workspace_id, id)
  )`,
  statement`create index conversations_by_owner
    on conversations (workspace_id, owner, created_at desc, id desc)`,
  statement`create table chat_messages (
    workspace_id ${text} not null,
    conversation_id ${text} not null,
    ordinal ${integer} not null,
    id ${text} not null,
    role ${text} not null,
    content ${text} not null,
    citations ${json} not null,
    details ${json} not null,
    status ${text} not null,
    created_at ${text} not null,
    primary key (workspace_id, conversation_id, ordinal)
  )`,
];

/**
 * Every table and index. Row types are the same on both engines: ids are text (UUIDv7), times are
 * text (RFC 3339, UTC, milliseconds), flags are 0 or 1, JSON is written with `jsonValue` and read
 * with `jsonText`. The workspace is first in every key.
 */
export const migration: Migration = {
  name: "0001-first-schema",
  async up(context) {
    const { dialect } = context;
    const statements = [
      ...identityTables,
      ...workspaceTables,
      ...recordTables(dialect),
      ...searchTables(dialect),
      ...fileTables,
      ...documentTables(dialect),
      ...jobTables,
      ...chatTables,
      ...workflowTables,
      ...understandingTables,
      ...auditTables(dialect),
    ];
    for (const each of statements) await context.run(each);
  },
};
