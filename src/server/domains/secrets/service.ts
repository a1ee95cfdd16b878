import { createHash, createHmac, randomBytes, randomInt, timingSafeEqual } from "node:crypto";
import { secretFormats, type SecretFormat, type SecretName } from "#contract/secret-formats.ts";
import type { Reader, Writer } from "../../database/database.ts";
import type { Work } from "../../work/work.ts";
import { SealingKey, sealedKeyId } from "./sealing-key.ts";
import { ensureSecret, putSecret, replaceSecret, secret } from "./store.ts";

export { earlierSecrets, formerSecrets, lastGrace, type FormerSecret } from "./former-secrets.ts";
export { keyBytes, SealingKey, sealedKeyId } from "./sealing-key.ts";

const masterName = "master";
const masterBytes = 32;

/**
 * The installation's master secret. Its keys sign cursors and forms, and seal what the database
 * stores in secret. The key file seals the master secret itself, so that a copy of the database
 * has no usable secret.
 */
export class Secrets {
  readonly #sealing: SealingKey;

  constructor(readonly master: Uint8Array) {
    this.#sealing = new SealingKey(this.for("sealed values"));
  }

  /** The first start: stores a new master secret. Undefined if another process stored one. */
  static async create(work: Work, key: SealingKey, now: Date): Promise<Secrets | undefined> {
    const sealed = key.seal(masterName, randomBytes(masterBytes).toString("base64url"));
    const stored = await work.write((tx) =>
      ensureSecret(tx, masterName, sealed, now.toISOString()),
    );
    return Secrets.open(stored, key);
  }

  /** The master secret of `sealedMaster`; undefined for another key. */
  static open(sealed: string, key: SealingKey): Secrets | undefined {
    const master = key.open(masterName, sealed);
    return master === undefined ? undefined : new Secrets(Buffer.from(master, "base64url"));
  }

  /**
   * Seals the stored master secret with another key, and runs `alsoIn` in the same transaction;
   * false if it is no longer `sealed`.
   */
  async reseal(
    work: Work,
    sealed: string,
    key: SealingKey,
    alsoIn: (writer: Writer) => Promise<void>,
  ): Promise<boolean> {
    const next = key.seal(masterName, Buffer.from(this.master).toString("base64url"));
    return work.write(async (tx) => {
      const isReplaced = await replaceSecret(tx, masterName, sealed, next);
      if (isReplaced) await alsoIn(tx);
      return isReplaced;
    });
  }

  /** 32 bytes for this purpose only, the same at every start. */
  for(purpose: string): Uint8Array {
    return createHmac("sha256", this.master).update(purpose).digest();
  }

  /** Encrypts a text for the database; `name` says which one it is, e.g. `totp <user>`. */
  seal(name: string, text: string): string {
    return this.#sealing.seal(name, text);
  }

  /** The text that `seal` has encrypted under this name; throws if it was changed. */
  unseal(name: string, sealed: string): string {
    const text = this.unsealed(name, sealed);
    if (text === undefined) throw new Error(`the stored secret "${name}" cannot be decrypted`);
    return text;
  }

  /** The sealed text; undefined if another key has sealed it, or it was changed. */
  unsealed(name: string, sealed: string): string | undefined {
    return this.#sealing.open(name, sealed);
  }
}

/** The stored master secret; undefined before the first start. */
export async function sealedMaster(reader: Reader): Promise<string | undefined> {
  return secret(reader, masterName);
}

/** The id of the key file that the database needs; undefined before the first start. */
export async function neededKeyId(reader: Reader): Promise<string | undefined> {
  const sealed = await sealedMaster(reader);
  return sealed === undefined ? undefined : sealedKeyId(sealed);
}

/** A text that the installation keeps under a name; undefined without one. */
export async function keptText(reader: Reader, name: string): Promise<string | undefined> {
  return secret(reader, name);
}

/** Keeps a text under a name, in place of the one that it has. */
export async function keepText(
  writer: Writer,
  name: string,
  text: string,
  at: string,
): Promise<void> {
  await putSecret(writer, name, text, at);
}

/**
 * A new secret of 256 random bits, in characters that need no escaping anywhere. None begins with a
 * hyphen: as an argument of a command that would be an option.
 */
export function randomToken(): string {
  const token = randomBytes(32).toString("base64url");
  return token.startsWith("-") ? randomToken() : token;
}

/** A new secret of this format: a token, or groups of equally likely characters. */
export function newSecret(name: SecretName): string {
  const { prefix, alphabet, groups }: SecretFormat = secretFormats[name];
  if (alphabet === secretFormats.token.alphabet) return prefix + randomToken();
  return prefix + groups.map((length) => randomText(alphabet, length)).join("-");
}

/** Characters of an alphabet, each equally likely, from the system's random numbers. */
function randomText(alphabet: string, length: number): string {
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
