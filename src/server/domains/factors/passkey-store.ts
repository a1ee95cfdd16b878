import type { Reader, Writer } from "../../database/database.ts";
import { insertInto, statement } from "../../database/statement.ts";

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
