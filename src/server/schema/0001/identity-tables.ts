import { columnType } from "../../database/migration.ts";
import { raw, statement, type Statement } from "../../database/statement.ts";

const { text, integer } = columnType;

/** Users, and what sign-in keeps. Codes and tokens are kept as digests only. */
export const identityTables: readonly Statement[] = [
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
    created_at ${text} not null
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
    revoked_at ${text}
  )`,
  statement`create table refresh_tokens (
    token_hash ${text} not null primary key,
    grant_id ${text} not null,
    created_at ${text} not null,
    expires_at ${text} not null,
    used_at ${text}
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
  ...["sessions", "authorization_codes", "refresh_tokens", "device_codes"].map((table) =>
    raw(`create index ${table}_by_expiry on ${table} (expires_at)`),
  ),
  statement`create index refresh_tokens_by_grant on refresh_tokens (grant_id)`,
];
