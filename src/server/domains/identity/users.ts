import { emailKey } from "#lib/email-address.ts";
import type { Reader } from "../../database/database.ts";
import { assignments, statement } from "../../database/statement.ts";
import type { Transaction } from "../../work/work.ts";

/** People. A local user signs in here; another issuer's user is known by issuer and subject. */
export interface User {
  /** The user's id everywhere in the interface. */
  readonly oid: string;
  /** Empty for a user of this platform's own sign-in. */
  readonly issuer: string;
  /** The issuer's id of the user; the oid for local ones. */
  readonly subject: string;
  readonly email: string;
  /** Made by `emailKey`, unique among local users; empty for an unverified address. */
  readonly email_key: string;
  readonly display_name: string;
  readonly first_name: string | null;
  readonly last_name: string | null;
  readonly password_hash: string | null;
  /** `none`, `one-time` (good for choosing another) or `set`. */
  readonly password_state: string;
  /** When a one-time password ends; null for never. */
  readonly password_expires_at: string | null;
  readonly system_admin: number;
  /** First successful sign-in; null while the user is only invited. */
  readonly activated_at: string | null;
  /** When the account was disabled; null for an enabled one. */
  readonly disabled_at: string | null;
  /** Access tokens of an earlier generation are not valid. */
  readonly token_generation: number;
  readonly created_at: string;
  readonly updated_at: string;
}

/** The issuer of users who sign in at this platform itself. */
export const localIssuer = "";

export async function userByOid(reader: Reader, oid: string): Promise<User | undefined> {
  return reader.first<User>(statement`select * from users where oid = ${oid}`);
}

/** The local user with this address, whatever its case. */
export async function userByEmail(reader: Reader, email: string): Promise<User | undefined> {
  return reader.first<User>(
    statement`select * from users where issuer = ${localIssuer} and email_key = ${emailKey(email)}`,
  );
}

export async function firstSystemAdmin(reader: Reader): Promise<User | undefined> {
  return reader.first<User>(
    statement`select * from users where system_admin = 1 order by created_at, oid limit 1`,
  );
}

export async function updateUser(
  tx: Transaction,
  oid: string,
  changes: Partial<Omit<User, "oid">>,
): Promise<void> {
  await tx.run(statement`update users set ${assignments(changes)} where oid = ${oid}`);
  tx.event("user", oid);
}

/** Makes the user's access tokens void; returns false for an unknown user. */
export async function endTokens(
  tx: Transaction,
  oid: string,
  changes: Pick<Partial<User>, "disabled_at"> & Pick<User, "updated_at">,
): Promise<boolean> {
  const { changedRows } = await tx.run(statement`update users
    set token_generation = token_generation + 1, ${assignments(changes)} where oid = ${oid}`);
  tx.event("user", oid);
  return changedRows > 0;
}

/** Returns whether another enabled account administers the installation. */
export async function hasOtherSystemAdmin(reader: Reader, oid: string): Promise<boolean> {
  const row = await reader.first(statement`select 1 as found from users
    where system_admin = 1 and oid <> ${oid} and disabled_at is null limit 1`);
  return row !== undefined;
}
