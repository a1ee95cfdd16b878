import { calculateJwkThumbprint, exportJWK, generateKeyPair, importJWK, type JWK } from "jose";
import { longestTokenMs } from "#contract/access/sign-in.ts";
import type { Work } from "../../work/work.ts";
import type { Secrets } from "../secrets/service.ts";
import {
  deleteSigningKeys,
  endSigning,
  insertSigningKey,
  signingKeys,
  type SigningKey,
} from "./store.ts";
import { keptPromise } from "../../kit/background.ts";

/** The only algorithm of the platform's tokens; a token with another one is refused. */
export const tokenAlgorithm = "ES256";

/** A key is published for this time first, which is longer than clients keep the key set. */
const publishedFirstMs = 10 * 60 * 1000;
/** Another process may sign with a key for this long after the next one has begun. */
const followMs = 60 * 1000;
/** The time between two readings of the stored keys, also for tokens with an unknown key id. */
const unknownKeyPauseMs = 1_000;

interface Signer {
  readonly kid: string;
  readonly key: CryptoKey;
}

interface KnownKeys {
  readonly readAtMs: number;
  readonly rows: readonly SigningKey[];
  readonly publicKeys: ReadonlyMap<string, CryptoKey>;
  /** The published JSON Web Key Set (RFC 7517), with public members only. */
  readonly published: { readonly keys: readonly JWK[] };
}

interface Parts {
  readonly work: Work;
  readonly secrets: Secrets;
  readonly now: () => Date;
}

export interface RotatedSigningKey {
  readonly kid: string;
  readonly previousKid: string;
  /** When the key begins to sign (RFC 3339, UTC). */
  readonly signsFrom: string;
  /** The previous key verifies tokens until then. */
  readonly previousUntil: string;
}

/**
 * The installation's key pairs. The newest one whose time has come signs, and all of them verify
 * until the last token of each has expired. Each process follows the rotations of the others.
 */
export class SigningKeys {
  #known: KnownKeys;
  #signer: Signer | undefined;
  #reading: Promise<KnownKeys> | undefined;

  private constructor(
    private readonly parts: Parts,
    rows: KnownKeys,
  ) {
    this.#known = rows;
  }

  /** Reads the keys; the first start creates one. */
  static async load(parts: Parts): Promise<SigningKeys> {
    const { work, secrets, now } = parts;
    if ((await signingKeys(work.read)).length === 0) {
      const fresh = await generateKey(secrets, now(), now());
      await work.write(async (tx) => {
        if ((await signingKeys(tx)).length === 0) await insertSigningKey(tx, fresh);
      });
    }
    return new SigningKeys(parts, await read(parts));
  }

  /** The stored keys; undefined for a platform that has never been started. */
  static async read(parts: Parts): Promise<SigningKeys | undefined> {
    const known = await read(parts);
    return known.rows.length === 0 ? undefined : new SigningKeys(parts, known);
  }

  /** The keys as other servers verify with them, at most a minute old. */
  async published(): Promise<KnownKeys["published"]> {
    return (await this.#current()).published;
  }

  async signer(): Promise<Signer> {
    const row = signingRow((await this.#current()).rows, this.parts.now());
    if (this.#signer?.kid === row.kid) return this.#signer;
    const text = this.parts.secrets.unseal(sealName(row.kid), row.private_key);
    this.#signer = { kid: row.kid, key: await imported(JSON.parse(text) as JWK) };
    return this.#signer;
  }

  async publicKey(kid: string | undefined): Promise<CryptoKey | undefined> {
    if (kid === undefined) return undefined;
    const { publicKeys } = await this.#current();
    return publicKeys.get(kid) ?? (await this.#current(unknownKeyPauseMs)).publicKeys.get(kid);
  }

  /**
   * Adds a key that signs in ten minutes, or at once. The others stay until their tokens have
   * expired. A call takes a key that already waits for its time, so that two calls make one.
   */
  async rotate({ atOnce = false } = {}): Promise<RotatedSigningKey> {
    const { work, secrets, now } = this.parts;
    const at = now();
    const from = new Date(at.getTime() + (atOnce ? 0 : publishedFirstMs));
    const fresh = await generateKey(secrets, at, from);
    const rotated = await work.write(async (tx) => {
      const rows = await signingKeys(tx);
      const [newest] = rows;
      const previous = signingRow(rows, at);
      const isWaiting = newest !== undefined && newest.kid !== previous.kid;
      const next = isWaiting && !atOnce ? newest : fresh;
      if (next === fresh) await insertSigningKey(tx, fresh);
      return { next, previous };
    });
    this.#known = await read(this.parts);
    const { next, previous } = rotated;
    const endMs = Date.parse(next.signs_from) + longestTokenMs + followMs;
    return {
      kid: next.kid,
      previousKid: previous.kid,
      signsFrom: next.signs_from,
      previousUntil: new Date(endMs).toISOString(),
    };
  }

  /**
   * Rotates when the newest key is older than this, and removes what is no longer needed: private
   * keys that no longer sign, and keys whose tokens have all expired.
   */
  async maintain(maximumAgeMs: number): Promise<void> {
    const { work, now } = this.parts;
    const nowMs = now().getTime();
    const [newest] = (await read(this.parts)).rows;
    if (newest !== undefined && nowMs - Date.parse(newest.created_at) >= maximumAgeMs) {
      await this.rotate();
    }
    const { rows } = await read(this.parts);
    const begunBefore = (ms: number): string | undefined =>
      rows.find(({ signs_from: from }) => Date.parse(from) <= nowMs - ms)?.signs_from;
    const signing = begunBefore(followMs);
    const verifying = begunBefore(longestTokenMs + followMs);
    await work.write(async (tx) => {
      if (signing !== undefined) await endSigning(tx, signing);
      if (verifying !== undefined) await deleteSigningKeys(tx, verifying);
    });
    this.#known = await read(this.parts);
  }

  async #current(maximumAgeMs = followMs / 2): Promise<KnownKeys> {
    const ageMs = this.parts.now().getTime() - this.#known.readAtMs;
    if (ageMs < maximumAgeMs) return this.#known;
    this.#reading ??= keptPromise(
      read(this.parts).finally(() => {
        this.#reading = undefined;
      }),
    );
    this.#known = await this.#reading;
    return this.#known;
  }
}

async function read({ work, now }: Parts): Promise<KnownKeys> {
  const readAtMs = now().getTime();
  const rows = await signingKeys(work.read);
  const publicKeys = new Map<string, CryptoKey>();
  const published: JWK[] = [];
  for (const row of rows) {
    const jwk = JSON.parse(row.public_key) as JWK;
    publicKeys.set(row.kid, await imported(jwk));
    published.push({ ...jwk, kid: row.kid, alg: tokenAlgorithm, use: "sig" });
  }
  return { readAtMs, rows, publicKeys, published: { keys: published } };
}

/** The newest key whose time has come; after a clock that went back the oldest. */
function signingRow(rows: readonly SigningKey[], now: Date): SigningKey {
  const found = rows.find(({ signs_from: from }) => from <= now.toISOString()) ?? rows.at(-1);
  if (found === undefined) throw new TypeError("there is no signing key");
  return found;
}

/** The name under which a private key is sealed. */
function sealName(kid: string): string {
  return `signing key ${kid}`;
}

async function generateKey(secrets: Secrets, now: Date, signsFrom: Date): Promise<SigningKey> {
  const pair = await generateKeyPair(tokenAlgorithm, { extractable: true });
  const publicKey = await exportJWK(pair.publicKey);
  const kid = await calculateJwkThumbprint(publicKey);
  const privateKey = JSON.stringify(await exportJWK(pair.privateKey));
  return {
    kid,
    algorithm: tokenAlgorithm,
    public_key: JSON.stringify(publicKey),
    private_key: secrets.seal(sealName(kid), privateKey),
    created_at: now.toISOString(),
    signs_from: signsFrom.toISOString(),
  };
}

async function imported(jwk: JWK): Promise<CryptoKey> {
  const key = await importJWK(jwk, tokenAlgorithm);
  if (key instanceof Uint8Array) throw new TypeError("a signing key is not a key pair");
  return key;
}
