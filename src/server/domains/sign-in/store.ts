import type { Reader, Writer } from "../../database/database.ts";
import { insertInto, raw, statement } from "../../database/statement.ts";

/** A browser that is signed in, for the sign-in pages only. */
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
  /** The grant that its redemption made; a second redemption revokes that. */
  readonly grant_id: string | null;
}

/** What a user has given a client: the family of all refresh tokens that came one from another. */
export interface Grant {
  readonly id: string;
  readonly client_id: string;
  readonly oid: string;
  readonly scope: string;
  readonly signed_in_at: string;
  readonly created_at: string;
  readonly revoked_at: string | null;
}

export interface RefreshToken {
  readonly token_hash: string;
  readonly grant_id: string;
  readonly created_at: string;
  readonly expires_at: string;
  /** When it was first exchanged for the next one. */
  readonly used_at: string | null;
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

export async function insertSession(writer: Writer, row: Session): Promise<void> {
  await writer.run(insertInto("sessions", row));
}
export async function sessionByHash(reader: Reader, hash: string): Promise<Session | undefined> {
  return reader.first<Session>(statement`select * from sessions where id_hash = ${hash}`);
}
export async function deleteSession(writer: Writer, hash: string): Promise<void> {
  await writer.run(statement`delete from sessions where id_hash = ${hash}`);
}
/** For a changed password: every browser has to sign in again. */
export async function deleteSessionsOf(writer: Writer, oid: string): Promise<void> {
  await writer.run(statement`delete from sessions where oid = ${oid}`);
}

export async function insertCode(writer: Writer, row: AuthorizationCode): Promise<void> {
  await writer.run(insertInto("authorization_codes", row));
}
export async function codeByHash(
  reader: Reader,
  hash: string,
): Promise<AuthorizationCode | undefined> {
  return reader.first<AuthorizationCode>(
    statement`select * from authorization_codes where code_hash = ${hash}`,
  );
}
/** False when the code has been redeemed before. */
export async function redeemCode(writer: Writer, hash: string, grantId: string): Promise<boolean> {
  const { changedRows } = await writer.run(statement`update authorization_codes
    set grant_id = ${grantId} where code_hash = ${hash} and grant_id is null`);
  return changedRows > 0;
}

export async function insertGrant(writer: Writer, row: Grant): Promise<void> {
  await writer.run(insertInto("grants", row));
}
export async function grantById(reader: Reader, id: string): Promise<Grant | undefined> {
  return reader.first<Grant>(statement`select * from grants where id = ${id}`);
}
export async function revokeGrant(writer: Writer, id: string, now: string): Promise<void> {
  await writer.run(statement`update grants set revoked_at = ${now}
    where id = ${id} and revoked_at is null`);
}
/** For a changed password: the ids of the grants that end by it. */
export async function revokeGrantsOf(writer: Writer, oid: string, now: string): Promise<string[]> {
  const rows = await writer.all<{ id: string }>(
    statement`update grants set revoked_at = ${now}
      where oid = ${oid} and revoked_at is null returning id`,
  );
  return rows.map((row) => row.id);
}

export async function insertRefreshToken(writer: Writer, row: RefreshToken): Promise<void> {
  await writer.run(insertInto("refresh_tokens", row));
}
export async function refreshTokenByHash(
  reader: Reader,
  hash: string,
): Promise<RefreshToken | undefined> {
  return reader.first<RefreshToken>(
    statement`select * from refresh_tokens where token_hash = ${hash}`,
  );
}
/** False when another request used it first. */
export async function useRefreshToken(writer: Writer, hash: string, now: string): Promise<boolean> {
  const { changedRows } = await writer.run(statement`update refresh_tokens set used_at = ${now}
    where token_hash = ${hash} and used_at is null`);
  return changedRows > 0;
}

/** False when the user code is taken. */
export async function insertDeviceCode(writer: Writer, row: DeviceCode): Promise<boolean> {
  const { changedRows } = await writer.run(
    statement`${insertInto("device_codes", row)} on conflict do nothing`,
  );
  return changedRows > 0;
}
export async function deviceCodeByHash(
  reader: Reader,
  hash: string,
): Promise<DeviceCode | undefined> {
  return reader.first<DeviceCode>(
    statement`select * from device_codes where device_code_hash = ${hash}`,
  );
}
export async function deviceCodeByUserCode(
  reader: Reader,
  userCode: string,
): Promise<DeviceCode | undefined> {
  return reader.first<DeviceCode>(
    statement`select * from device_codes where user_code = ${userCode}`,
  );
}
/** False when it is no longer in the state `from`: somebody else decided or redeemed it. */
export async function moveDeviceCode(
  writer: Writer,
  hash: string,
  from: string,
  to: string,
  decision?: { readonly oid: string; readonly signedInAt: string },
): Promise<boolean> {
  const decided =
    decision === undefined
      ? raw("")
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

/**
 * Removes what ended before `before`, of each kind at most `limit`; answers the most that were
 * removed of one. Codes and tokens are kept beyond their end by the caller's
 * choice of `before`, since a replay can only be seen while the first use is on record.
 */
export async function deleteExpired(
  writer: Writer,
  before: string,
  limit: number,
): Promise<number> {
  const ended = statement`expires_at < ${before}`;
  const isUnused = statement`created_at < ${before} and not exists
    (select 1 from refresh_tokens where refresh_tokens.grant_id = grants.id)`;
  const kinds = [
    ["sessions", "id_hash", ended],
    ["authorization_codes", "code_hash", ended],
    ["refresh_tokens", "token_hash", ended],
    ["device_codes", "device_code_hash", ended],
    ["grants", "id", isUnused],
  ] as const;
  let most = 0;
  for (const [table, key, which] of kinds) {
    const { changedRows } = await writer.run(statement`delete from ${raw(table)}
      where ${raw(key)} in (select ${raw(key)} from ${raw(table)} where ${which} limit ${limit})`);
    most = Math.max(most, changedRows);
  }
  return most;
}
