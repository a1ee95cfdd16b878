import type { Insertable, Selectable, Updateable } from "kysely";
import type { Reader, Writer } from "../../database/database.ts";
import { statement } from "../../database/statement.ts";
import type { SigningKeyRow, UserRow } from "../../schema/tables/identity.ts";

export type User = Selectable<UserRow>;
export type SigningKey = Selectable<SigningKeyRow>;

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

/** The newest key signs; older ones still verify. */
export async function signingKeys(reader: Reader): Promise<SigningKey[]> {
  return reader.all<SigningKey>(
    statement`select * from signing_keys order by created_at desc, kid desc`,
  );
}

export async function insertSigningKey(
  writer: Writer,
  key: Insertable<SigningKeyRow>,
): Promise<void> {
  await writer.query.insertInto("signing_keys").values(key).execute();
}

export async function secret(reader: Reader, name: string): Promise<string | undefined> {
  const row = await reader.first<{ value: string }>(
    statement`select value from secrets where name = ${name}`,
  );
  return row?.value;
}

/** Keeps the value that is there already, and answers the one that holds now. */
export async function ensureSecret(
  writer: Writer,
  name: string,
  value: string,
  createdAt: string,
): Promise<string> {
  await writer.run(statement`insert into secrets (name, value, created_at)
    values (${name}, ${value}, ${createdAt}) on conflict (name) do nothing`);
  return (await secret(writer, name)) ?? value;
}

export async function putSecret(
  writer: Writer,
  name: string,
  value: string,
  createdAt: string,
): Promise<void> {
  await writer.run(statement`insert into secrets (name, value, created_at)
    values (${name}, ${value}, ${createdAt})
    on conflict (name) do update set value = excluded.value`);
}
