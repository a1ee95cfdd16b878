import type { Insertable, Selectable, Updateable } from "kysely";
import type { Reader, Writer } from "../../database/database.ts";
import { statement } from "../../database/statement.ts";
import type { UserRow } from "../../schema/tables/identity.ts";

export type User = Selectable<UserRow>;

/** The issuer of users who sign in at this platform itself. */
export const localIssuer = "";

/** An e-mail address as users are found by it: capitals and blanks around it do not count. */
export function emailKey(email: string): string {
  return email.trim().toLowerCase();
}

export async function userByOid(reader: Reader, oid: string): Promise<User | undefined> {
  return reader.first<User>(statement`select * from users where oid = ${oid}`);
}

export async function userBySubject(
  reader: Reader,
  issuer: string,
  subject: string,
): Promise<User | undefined> {
  return reader.first<User>(
    statement`select * from users where issuer = ${issuer} and subject = ${subject}`,
  );
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

/** False when there is one with this oid, subject or local address already. */
export async function insertUser(writer: Writer, user: Insertable<UserRow>): Promise<boolean> {
  const result = await writer.query
    .insertInto("users")
    .values(user)
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return (result.numInsertedOrUpdatedRows ?? 0n) > 0n;
}

export async function updateUser(
  writer: Writer,
  oid: string,
  changes: Omit<Updateable<UserRow>, "oid">,
): Promise<void> {
  await writer.query.updateTable("users").set(changes).where("oid", "=", oid).execute();
}
