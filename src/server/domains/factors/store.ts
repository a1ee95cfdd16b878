import type { Reader, Writer } from "../../database/database.ts";
import { insertInto, join, statement } from "../../database/statement.ts";

/** A second factor of a user who signs in here. */
export interface FactorRow {
  readonly id: string;
  readonly oid: string;
  /** It is `totp` or `passkey`. */
  readonly kind: string;
  readonly name: string;
  /** It is `pending` or `active`. */
  readonly state: string;
  /** The secret of an app; null for a passkey. */
  readonly sealed_secret: string | null;
  /** The step of an app's last used code; an earlier code is not valid again. */
  readonly last_step: number;
  /** The host of a passkey (its relying party id). */
  readonly host: string | null;
  readonly credential_id: string | null;
  readonly public_key: string | null;
  /** The number of a passkey's last use, if it counts. */
  readonly counter: number;
  readonly transports: string | null;
  readonly created_at: string;
  /** The end of a pending one. */
  readonly expires_at: string | null;
  readonly last_used_at: string | null;
}

/** The oldest first; pending ones that have ended are left out. */
export async function factorsOf(reader: Reader, oid: string, now: string): Promise<FactorRow[]> {
  const rows = await reader.all<FactorRow>(statement`select * from second_factors
    where oid = ${oid} and (expires_at is null or expires_at > ${now}) order by created_at, id`);
  return rows.map((row) => ({
    ...row,
    last_step: Number(row.last_step),
    counter: Number(row.counter),
  }));
}

export async function insertFactor(writer: Writer, row: FactorRow): Promise<boolean> {
  const { changedRows } = await writer.run(
    statement`${insertInto("second_factors", row)} on conflict do nothing`,
  );
  return changedRows > 0;
}

/** False when another request has confirmed or removed it. */
export async function activateFactor(
  writer: Writer,
  id: string,
  step: number,
  now: string,
): Promise<boolean> {
  const { changedRows } = await writer.run(statement`update second_factors
    set state = 'active', expires_at = null, last_step = ${step}, last_used_at = ${now}
    where id = ${id} and state = 'pending'`);
  return changedRows > 0;
}

/** False when a code of this or a later step was used before. */
export async function useStep(
  writer: Writer,
  id: string,
  step: number,
  now: string,
): Promise<boolean> {
  const { changedRows } = await writer.run(statement`update second_factors
    set last_step = ${step}, last_used_at = ${now} where id = ${id} and last_step < ${step}`);
  return changedRows > 0;
}

export async function deleteFactor(writer: Writer, oid: string, id: string): Promise<boolean> {
  const { changedRows } = await writer.run(
    statement`delete from second_factors where oid = ${oid} and id = ${id}`,
  );
  return changedRows > 0;
}

export async function deletePending(writer: Writer, oid: string): Promise<void> {
  await writer.run(statement`delete from second_factors where oid = ${oid} and state = 'pending'`);
}

/** Serialises the changes of one user's factors on PostgreSQL. */
export async function lockFactors(writer: Writer, oid: string): Promise<void> {
  await writer.run(statement`update users set updated_at = updated_at where oid = ${oid}`);
}

/** Removes every factor and code of a user; returns how many active factors there were. */
export async function deleteFactorsOf(writer: Writer, oid: string): Promise<number> {
  await lockFactors(writer, oid);
  const { changedRows } = await writer.run(
    statement`delete from second_factors where oid = ${oid} and state = 'active'`,
  );
  await deletePending(writer, oid);
  await deleteCodes(writer, oid);
  return changedRows;
}

export async function deleteCodes(writer: Writer, oid: string): Promise<void> {
  await writer.run(statement`delete from recovery_codes where oid = ${oid}`);
}

export async function insertCodes(
  writer: Writer,
  oid: string,
  hashes: readonly string[],
  now: string,
): Promise<void> {
  const rows = hashes.map((hash) => statement`(${oid}, ${hash}, ${now})`);
  await writer.run(
    statement`insert into recovery_codes (oid, code_hash, created_at) values ${join(rows)}`,
  );
}

/** False for a code that is unknown or was used before. */
export async function useRecoveryCode(
  writer: Writer,
  oid: string,
  hash: string,
  now: string,
): Promise<boolean> {
  const { changedRows } = await writer.run(statement`update recovery_codes set used_at = ${now}
    where oid = ${oid} and code_hash = ${hash} and used_at is null`);
  return changedRows > 0;
}

export async function isUnusedCode(reader: Reader, oid: string, hash: string): Promise<boolean> {
  const row = await reader.first(statement`select 1 as found from recovery_codes
    where oid = ${oid} and code_hash = ${hash} and used_at is null`);
  return row !== undefined;
}

export async function countCodes(reader: Reader, oid: string): Promise<number> {
  const row = await reader.first<{ count: number }>(statement`select count(*) as count
    from recovery_codes where oid = ${oid} and used_at is null`);
  return Number(row?.count ?? 0);
}

/** Removes at most `limit` ended rows of each table; returns the largest number of one table. */
export async function deleteEnded(writer: Writer, now: string, limit: number): Promise<number> {
  const pending = await writer.run(statement`delete from second_factors where id in
    (select id from second_factors where expires_at < ${now} limit ${limit})`);
  const challenges = await writer.run(statement`delete from passkey_challenges
    where challenge_hash in
    (select challenge_hash from passkey_challenges where expires_at < ${now} limit ${limit})`);
  return Math.max(pending.changedRows, challenges.changedRows);
}

/** Returns false when the counter did not increase: another request or device was first. */
export async function useCounter(
  writer: Writer,
  id: string,
  counter: number,
  now: string,
): Promise<boolean> {
  const { changedRows } = await writer.run(statement`update second_factors
    set counter = ${counter}, last_used_at = ${now}
    where id = ${id} and (counter < ${counter} or (counter = 0 and ${counter} = 0))`);
  return changedRows > 0;
}

export async function insertChallenge(
  writer: Writer,
  row: {
    readonly challenge_hash: string;
    readonly oid: string;
    readonly purpose: string;
    readonly expires_at: string;
  },
): Promise<void> {
  await writer.run(insertInto("passkey_challenges", row));
}

/** A challenge that a user must answer for this purpose. */
export interface Challenge {
  readonly hash: string;
  readonly oid: string;
  readonly purpose: string;
  readonly now: string;
}

/** False for a challenge that is unknown, has ended or was answered before. */
export async function isChallenge(reader: Reader, expected: Challenge): Promise<boolean> {
  const { hash, oid, purpose, now } = expected;
  const row = await reader.first(statement`select 1 as found from passkey_challenges
    where challenge_hash = ${hash} and oid = ${oid} and purpose = ${purpose}
      and expires_at > ${now}`);
  return row !== undefined;
}

/** Removes the challenge; false like {@link isChallenge}. */
export async function takeChallenge(writer: Writer, expected: Challenge): Promise<boolean> {
  const { hash, oid, purpose, now } = expected;
  const { changedRows } = await writer.run(statement`delete from passkey_challenges
    where challenge_hash = ${hash} and oid = ${oid} and purpose = ${purpose}
      and expires_at > ${now}`);
  return changedRows > 0;
}

const pendingMs = 15 * 60 * 1000;

/** A factor that waits for its confirmation, without a secret or a key. */
export function newFactor(
  now: Date,
  given: {
    readonly oid: string;
    readonly kind: "totp" | "passkey";
    readonly name: string;
  },
): FactorRow {
  return {
    id: Bun.randomUUIDv7(),
    ...given,
    state: "pending",
    sealed_secret: null,
    last_step: 0,
    host: null,
    credential_id: null,
    public_key: null,
    counter: 0,
    transports: null,
    created_at: now.toISOString(),
    expires_at: new Date(now.getTime() + pendingMs).toISOString(),
    last_used_at: null,
  };
}
