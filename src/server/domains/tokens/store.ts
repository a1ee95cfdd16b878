import type { Reader, Writer } from "../../database/database.ts";
import { insertInto, statement } from "../../database/statement.ts";

export interface SigningKey {
  readonly kid: string;
  readonly algorithm: string;
  readonly public_key: string;
  /** Sealed by the secrets; empty once the key no longer signs. */
  readonly private_key: string;
  readonly created_at: string;
  /** Published before that, so that clients know the key when its first token comes. */
  readonly signs_from: string;
}

/** All signing keys, the newest first. */
export async function signingKeys(reader: Reader): Promise<SigningKey[]> {
  return reader.all<SigningKey>(
    statement`select * from signing_keys order by signs_from desc, kid desc`,
  );
}

export async function insertSigningKey(writer: Writer, key: SigningKey): Promise<void> {
  await writer.run(insertInto("signing_keys", key));
}

/** Erases the private part of the keys that began to sign before a time. */
export async function endSigning(writer: Writer, before: string): Promise<void> {
  await writer.run(statement`update signing_keys set private_key = ''
    where signs_from < ${before} and private_key <> ''`);
}

/** Removes the keys that began to sign before a time; returns how many. */
export async function deleteSigningKeys(writer: Writer, before: string): Promise<number> {
  const { changedRows } = await writer.run(
    statement`delete from signing_keys where signs_from < ${before}`,
  );
  return changedRows;
}
