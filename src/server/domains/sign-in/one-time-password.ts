import type { Transaction } from "../../work/work.ts";
import { endTokens, updateUser } from "../identity/service.ts";
import { revokeGrantsOf } from "../tokens/service.ts";
import { deleteSessionsOf } from "./store.ts";

/** An unused one-time password ends after this time. */
const oneTimePasswordMs = 24 * 60 * 60 * 1000;

/** Ends all tokens and sessions of an account; returns the number of its sign-ins. */
export async function endAccess(
  tx: Transaction,
  oid: string,
  changes: { readonly disabled_at?: string; readonly updated_at: string },
): Promise<number> {
  await endTokens(tx, oid, changes);
  await deleteSessionsOf(tx, oid);
  return revokeGrantsOf(tx, oid, changes.updated_at);
}

/** Makes a one-time password the only one of an account, and ends its tokens and sessions. */
export async function giveOneTimePassword(
  tx: Transaction,
  oid: string,
  { hash, now }: { readonly hash: string; readonly now: string },
): Promise<{ readonly expiresAt: string; readonly revokedGrants: number }> {
  const expiresAt = new Date(Date.parse(now) + oneTimePasswordMs).toISOString();
  await updateUser(tx, oid, {
    password_hash: hash,
    password_state: "one-time",
    password_expires_at: expiresAt,
  });
  return { expiresAt, revokedGrants: await endAccess(tx, oid, { updated_at: now }) };
}
