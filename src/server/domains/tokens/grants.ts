import type { Reader, Writer } from "../../database/database.ts";
import { newestFirst, type NewestPage } from "../../database/row-pages.ts";
import { assignments, insertInto, statement, type Statement } from "../../database/statement.ts";
import type { Transaction } from "../../work/work.ts";

/** A user's consent to a client. All refresh tokens that follow one another belong to it. */
export interface Grant {
  readonly id: string;
  readonly client_id: string;
  readonly oid: string;
  readonly scope: string;
  readonly signed_in_at: string;
  readonly created_at: string;
  readonly revoked_at: string | null;
  /** The user agent of the last token request. */
  readonly device?: string | null;
  /** The time of the last token request; absent before it is noted. */
  readonly last_used_at?: string | null;
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

/** Notes a token request of the grant. */
export async function noteGrantUse(
  writer: Writer,
  id: string,
  use: { readonly device: string | null; readonly last_used_at: string },
): Promise<void> {
  await writer.run(statement`update grants set ${assignments(use)} where id = ${id}`);
}

export interface GrantListing extends NewestPage {
  readonly oid: string;
  readonly now: string;
  /** A grant without a refresh token is listed until its access token has ended. */
  readonly usedAfter: string;
}

/** Grants with a token that is valid, the newest first. */
export async function activeGrantsOf(reader: Reader, listing: GrantListing): Promise<Grant[]> {
  const { oid, now, usedAfter } = listing;
  return reader.all<Grant>(statement`select * from grants
    where oid = ${oid} and revoked_at is null
      and (coalesce(last_used_at, created_at) > ${usedAfter}
        or exists (select 1 from refresh_tokens where refresh_tokens.grant_id = grants.id
          and refresh_tokens.expires_at > ${now} and refresh_tokens.used_at is null))
      ${newestFirst(listing)}`);
}

export async function revokeGrant(tx: Transaction, id: string, now: string): Promise<void> {
  await tx.run(statement`update grants set revoked_at = ${now}
    where id = ${id} and revoked_at is null`);
  tx.event("grant", id);
}

/** Revokes the grants of a user whose password changes, except one; returns their number. */
export async function revokeGrantsOf(
  tx: Transaction,
  oid: string,
  now: string,
  keptId = "",
): Promise<number> {
  return revokeWhere(tx, statement`oid = ${oid} and id <> ${keptId}`, now);
}

/** Revokes the grants of a client that may no longer sign users in; returns their number. */
export async function revokeGrantsOfClient(
  tx: Transaction,
  clientId: string,
  now: string,
): Promise<number> {
  return revokeWhere(tx, statement`client_id = ${clientId}`, now);
}

async function revokeWhere(tx: Transaction, which: Statement, now: string): Promise<number> {
  const rows = await tx.all<{ id: string }>(statement`update grants set revoked_at = ${now}
    where ${which} and revoked_at is null returning id`);
  for (const { id } of rows) tx.event("grant", id);
  return rows.length;
}
