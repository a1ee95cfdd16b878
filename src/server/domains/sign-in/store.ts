import type { Reader, Writer } from "../../database/database.ts";
import { insertInto, nothing, raw, statement } from "../../database/statement.ts";

/** A signed-in browser, for the sign-in pages only. */
export interface Session {
  readonly id_hash: string;
  readonly oid: string;
  readonly signed_in_at: string;
  readonly expires_at: string;
}

export interface AuthorizationCode {
  readonly code_hash: string;
  readonly client_id: string;
  readonly oid: string;
  readonly redirect_uri: string;
  readonly code_challenge: string;
  readonly nonce: string | null;
  readonly scope: string;
  readonly signed_in_at: string;
  readonly expires_at: string;
  /** The grant of its first redemption; a second redemption revokes it. */
  readonly grant_id: string | null;
}

export interface RefreshToken {
  readonly token_hash: string;
  readonly grant_id: string;
  readonly created_at: string;
  readonly expires_at: string;
  /** The token that was exchanged for it; null for the first one of a grant. */
  readonly parent_hash: string | null;
  /** When it was first exchanged for a successor. */
  readonly used_at: string | null;
  /** When a successor was first used, which shows that the client has the successor. */
  readonly retired_at: string | null;
}

export interface DeviceCode {
  readonly device_code_hash: string;
  readonly user_code: string;
  readonly client_id: string;
  readonly scope: string;
  /** `pending`, `approved`, `denied` or `used`. */
  readonly state: string;
  readonly oid: string | null;
  readonly signed_in_at: string | null;
  readonly interval_seconds: number;
  readonly polled_at: string | null;
  readonly expires_at: string;
}

interface Tables {
  readonly sessions: Session;
  readonly authorization_codes: AuthorizationCode;
  readonly refresh_tokens: RefreshToken;
  readonly device_codes: DeviceCode;
}

/** The key of each table, which is the digest of a secret. */
const keys = {
  sessions: "id_hash",
  authorization_codes: "code_hash",
  refresh_tokens: "token_hash",
  device_codes: "device_code_hash",
} as const;

/** False when the table already has this key, or this user code. */
export async function insertRow<Name extends keyof Tables>(
  writer: Writer,
  table: Name,
  row: Tables[Name],
): Promise<boolean> {
  const values: Tables[keyof Tables] = row;
  const { changedRows } = await writer.run(
    statement`${insertInto(table, values)} on conflict do nothing`,
  );
  return changedRows > 0;
}

export async function rowByHash<Name extends keyof Tables>(
  reader: Reader,
  table: Name,
  hash: string,
): Promise<Tables[Name] | undefined> {
  return reader.first<Tables[Name]>(
    statement`select * from ${raw(table)} where ${raw(keys[table])} = ${hash}`,
  );
}

export async function deleteSession(writer: Writer, hash: string): Promise<void> {
  await writer.run(statement`delete from sessions where id_hash = ${hash}`);
}

export async function deleteSessionsOf(writer: Writer, oid: string): Promise<void> {
  await writer.run(statement`delete from sessions where oid = ${oid}`);
}

/** False when the code has been redeemed before. */
export async function redeemCode(writer: Writer, hash: string, grantId: string): Promise<boolean> {
  const { changedRows } = await writer.run(statement`update authorization_codes
    set grant_id = ${grantId} where code_hash = ${hash} and grant_id is null`);
  return changedRows > 0;
}

/** False when another successor of the token was used before; true if the token is gone. */
export async function retireRefreshToken(
  writer: Writer,
  hash: string,
  now: string,
): Promise<boolean> {
  const { changedRows } = await writer.run(statement`update refresh_tokens set retired_at = ${now}
    where token_hash = ${hash} and retired_at is null`);
  return changedRows > 0 || (await rowByHash(writer, "refresh_tokens", hash)) === undefined;
}

/** False when another request used it first. */
export async function useRefreshToken(writer: Writer, hash: string, now: string): Promise<boolean> {
  const { changedRows } = await writer.run(statement`update refresh_tokens set used_at = ${now}
    where token_hash = ${hash} and used_at is null`);
  return changedRows > 0;
}

export async function deviceCodeByUserCode(
  reader: Reader,
  userCode: string,
): Promise<DeviceCode | undefined> {
  return reader.first<DeviceCode>(
    statement`select * from device_codes where user_code = ${userCode}`,
  );
}

/** False when another request has already changed the state `from`. */
export async function moveDeviceCode(
  writer: Writer,
  hash: string,
  from: string,
  to: string,
  decision?: { readonly oid: string; readonly signedInAt: string },
): Promise<boolean> {
  const decided =
    decision === undefined
      ? nothing
      : statement`, oid = ${decision.oid}, signed_in_at = ${decision.signedInAt}`;
  const { changedRows } = await writer.run(statement`update device_codes
    set state = ${to}${decided} where device_code_hash = ${hash} and state = ${from}`);
  return changedRows > 0;
}

export async function notePoll(
  writer: Writer,
  hash: string,
  now: string,
  intervalSeconds: number,
): Promise<void> {
  await writer.run(statement`update device_codes
    set polled_at = ${now}, interval_seconds = ${intervalSeconds}
    where device_code_hash = ${hash}`);
}

/** Removes at most `limit` ended rows of each table; returns the largest number of one table. */
export async function deleteExpired(
  writer: Writer,
  before: string,
  limit: number,
): Promise<number> {
  const ended = statement`expires_at < ${before}`;
  const isUnused = statement`created_at < ${before} and not exists
    (select 1 from refresh_tokens where refresh_tokens.grant_id = grants.id)`;
  let most = 0;
  for (const [table, key] of Object.entries({ ...keys, grants: "id" })) {
    const condition = table === "grants" ? isUnused : ended;
    const { changedRows } = await writer.run(statement`delete from ${raw(table)} where ${raw(key)}
      in (select ${raw(key)} from ${raw(table)} where ${condition} limit ${limit})`);
    most = Math.max(most, changedRows);
  }
  return most;
}
