import { createHmac } from "node:crypto";
import { randomText } from "../secrets/service.ts";

/** Leaves out the letters and digits that look alike. */
const alphabet = "abcdefghjkmnpqrstuvwxyz23456789";
const groups = 3;
const groupLength = 5;
const recoveryCodeCount = 10;

/** Codes of about 74 bits, each for one sign-in without the app or the passkey. */
export function newRecoveryCodes(): string[] {
  return Array.from({ length: recoveryCodeCount }, () =>
    Array.from({ length: groups }, () => randomText(alphabet, groupLength)).join("-"),
  );
}

/**
 * A code as the database keeps it. The key is not in the database, so that a copy of the database
 * alone cannot be searched for codes.
 */
export function recoveryCodeHash(key: Uint8Array, oid: string, typed: string): string {
  const code = typed.toLowerCase().replaceAll(/[\s-]/g, "");
  return createHmac("sha256", key)
    .update(JSON.stringify([oid, code]))
    .digest("base64url");
}
