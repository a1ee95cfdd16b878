import { calculateJwkThumbprint, exportJWK, generateKeyPair, importJWK, type JWK } from "jose";
import type { Database, Reader } from "../../database/database.ts";
import type { Secrets } from "../secrets/service.ts";
import { insertSigningKey, signingKeys, type SigningKey } from "./store.ts";

/** The only algorithm of the platform's tokens; a token with another one is refused. */
export const tokenAlgorithm = "ES256";

export interface Signer {
  readonly kid: string;
  readonly key: CryptoKey;
}

/** The installation's key pairs: the newest one signs, all of them verify. */
export class SigningKeys {
  private constructor(
    readonly signer: Signer,
    private readonly publicKeys: ReadonlyMap<string, CryptoKey>,
    /** The published JSON Web Key Set (RFC 7517), with public members only. */
    readonly published: { readonly keys: readonly JWK[] },
  ) {}

  /** Reads the keys; the first start creates one. */
  static async load(
    { database, secrets }: { readonly database: Database; readonly secrets: Secrets },
    now: Date,
  ): Promise<SigningKeys> {
    let rows = await signingKeys(database.read);
    if (rows.length === 0) {
      const fresh = await generateKey(secrets, now);
      rows = await database.write(async (writer) => {
        const present = await signingKeys(writer);
        if (present.length > 0) return present;
        await insertSigningKey(writer, fresh);
        return [fresh];
      });
    }
    return SigningKeys.#from(rows, secrets);
  }

  /** The stored keys; undefined for a platform that has never been started. */
  static async read(reader: Reader, secrets: Secrets): Promise<SigningKeys | undefined> {
    const rows = await signingKeys(reader);
    return rows.length === 0 ? undefined : SigningKeys.#from(rows, secrets);
  }

  static async #from(rows: readonly SigningKey[], secrets: Secrets): Promise<SigningKeys> {
    const publicKeys = new Map<string, CryptoKey>();
    const published: JWK[] = [];
    for (const row of rows) {
      const jwk = JSON.parse(row.public_key) as JWK;
      publicKeys.set(row.kid, await imported(jwk));
      published.push({ ...jwk, kid: row.kid, alg: tokenAlgorithm, use: "sig" });
    }
    const [newest] = rows;
    if (newest === undefined) throw new TypeError("there is no signing key");
    const key = await imported(
      JSON.parse(secrets.unseal(sealName(newest.kid), newest.private_key)) as JWK,
    );
    return new SigningKeys({ kid: newest.kid, key }, publicKeys, { keys: published });
  }

  publicKey(kid: string | undefined): CryptoKey | undefined {
    return kid === undefined ? undefined : this.publicKeys.get(kid);
  }
}

/** Under this name the database has a private key sealed. */
function sealName(kid: string): string {
  return `signing key ${kid}`;
}

async function generateKey(secrets: Secrets, now: Date): Promise<SigningKey> {
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
  };
}

async function imported(jwk: JWK): Promise<CryptoKey> {
  const key = await importJWK(jwk, tokenAlgorithm);
  if (key instanceof Uint8Array) throw new TypeError("a signing key is not a key pair");
  return key;
}
