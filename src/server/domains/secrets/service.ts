import { createHash, createHmac, randomBytes, randomInt, timingSafeEqual } from "node:crypto";
import type { Database } from "../../database/database.ts";
import { ensureSecret, secret } from "./store.ts";

export { putSecret, secret } from "./store.ts";

const masterName = "master";

/** Keys that the platform signs its own cursors and forms with, one for each purpose. */
export class Secrets {
  private constructor(private readonly master: Buffer) {}

  /** Reads the installation's master secret; the first start creates it. */
  static async load(database: Database, now: Date): Promise<Secrets> {
    const master =
      (await secret(database.read, masterName)) ??
      (await database.write((writer) =>
        ensureSecret(writer, masterName, randomBytes(32).toString("base64url"), now.toISOString()),
      ));
    return new Secrets(Buffer.from(master, "base64url"));
  }

  /** 32 bytes for this purpose only, the same at every start. */
  for(purpose: string): Uint8Array {
    return createHmac("sha256", this.master).update(purpose).digest();
  }
}

/** A new secret with 256 bits, in characters that need no escaping anywhere. */
export function randomToken(): string {
  return randomBytes(32).toString("base64url");
}

/** Characters of an alphabet, each equally likely, from the system's random numbers. */
export function randomText(alphabet: string, length: number): string {
  return Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join("");
}

/** A token as the database keeps it: the digest cannot be used as the token. */
export function tokenDigest(token: string): string {
  return Bun.CryptoHasher.hash("sha256", token, "base64url");
}

/** Compares in a time that does not depend on where two texts differ. */
export function equalSecrets(one: string, other: string): boolean {
  const left = createHash("sha256").update(one).digest();
  return timingSafeEqual(left, createHash("sha256").update(other).digest());
}
