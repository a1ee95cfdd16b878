import { createHmac } from "node:crypto";
import { newSecret } from "../secrets/service.ts";

const recoveryCodeCount = 10;

/** Codes, each for one sign-in without the app or the passkey. */
export function newRecoveryCodes(): string[] {
  return Array.from({ length: recoveryCodeCount }, () => newSecret("recoveryCode"));
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
