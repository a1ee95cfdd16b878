import type { Reader } from "../../database/database.ts";
import { insertInto, statement } from "../../database/statement.ts";
import type { Transaction } from "../../work/work.ts";
import type { User } from "./users.ts";

export async function userBySubject(
  reader: Reader,
  issuer: string,
  subject: string,
): Promise<User | undefined> {
  return reader.first<User>(
    statement`select * from users where issuer = ${issuer} and subject = ${subject}`,
  );
}

/** Returns false if this oid, subject or local address has a user already. */
export async function insertUser(tx: Transaction, user: User): Promise<boolean> {
  const { changedRows } = await tx.run(
    statement`${insertInto("users", user)} on conflict do nothing`,
  );
  tx.event("user", user.oid);
  return changedRows > 0;
}
