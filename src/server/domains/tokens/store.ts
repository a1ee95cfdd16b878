import type { Reader, Writer } from "../../database/database.ts";
import { insertInto, statement } from "../../database/statement.ts";

export interface SigningKey {
  readonly kid: string;
  readonly algorithm: string;
  readonly public_key: string;
  readonly private_key: string;
  readonly created_at: string;
}

/** A user's consent to a client. All refresh tokens that follow one another belong to it. */
export interface Grant {
  readonly id: string;
  readonly client_id: string;
  readonly oid: string;
  readonly scope: string;
  readonly signed_in_at: string;
  readonly created_at: string;
  readonly revoked_at: string | null;
}

/** The newest key signs; older ones still verify. */
export async function signingKeys(reader: Reader): Promise<SigningKey[]> {
  return reader.all<SigningKey>(
    statement`select * from signing_keys order by created_at desc, kid desc`,
  );
}

export async function insertSigningKey(writer: Writer, key: SigningKey): Promise<void> {
  await writer.run(insertInto("signing_keys", key));
}

export async function insertGrant(writer: Writer, grant: Grant): Promise<void> {
  await writer.run(insertInto("grants", grant));
}

/** The grant unless it has been revoked. */
export async function activeGrant(reader: Reader, id: string): Promise<Grant | undefined> {
  return reader.first<Grant>(
    statement`select * from grants where id = ${id} and revoked_at is null`,
  );
}

export async function revokeGrant(writer: Writer, id: string, now: string): Promise<void> {
  await writer.run(statement`update grants set revoked_at = ${now}
    where id = ${id} and revoked_at is null`);
}

/** Revokes all grants of a user whose password changes; returns their ids. */
export async function revokeGrantsOf(writer: Writer, oid: string, now: string): Promise<string[]> {
  const rows = await writer.all<{ id: string }>(
    statement`update grants set revoked_at = ${now}
      where oid = ${oid} and revoked_at is null returning id`,
  );
  return rows.map((row) => row.id);
}
