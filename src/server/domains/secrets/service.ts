import { createHash, createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import type { Database } from "../../database/database.ts";
import { ensureSecret, secret } from "../identity/store.ts";

const masterName = "master";

/** Keys for what the platform signs for itself (cursors, forms), one for each purpose. */
export class Secrets {
  readonly #master: Buffer;

  private constructor(master: Buffer) {
    this.#master = master;
  }

  /** Reads the installation's master secret, and makes it on the first start. */
  static async load(database: Database, now: Date): Promise<Secrets> {
    const kept =
      (await secret(database.read, masterName)) ??
      (await database.write((writer) =>
        ensureSecret(writer, masterName, randomBytes(32).toString("base64url"), now.toISOString()),
      ));
    return new Secrets(Buffer.from(kept, "base64url"));
  }

  /** 32 bytes that hold for this purpose only, the same at every start. */
  for(purpose: string): Uint8Array {
    return createHmac("sha256", this.#master).update(purpose).digest();
  }
}

/** A new secret with 256 bits, in characters that need no escaping anywhere. */
export function randomToken(): string {
  return randomBytes(32).toString("base64url");
}

/** What is stored of a token: who reads the database can't use it. */
export function tokenDigest(token: string): string {
  return Bun.CryptoHasher.hash("sha256", token, "base64url");
}

/** Equality in a time that does not tell where two texts differ. */
export function equalSecrets(one: string, other: string): boolean {
  const left = createHash("sha256").update(one).digest();
  return timingSafeEqual(left, createHash("sha256").update(other).digest());
}
