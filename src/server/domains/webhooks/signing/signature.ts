import { createHmac, createPrivateKey, generateKeyPairSync, sign } from "node:crypto";
import { newSecret } from "../../secrets/service.ts";

/** The secret and the key that sign the requests of an endpoint. */
export interface SigningPair {
  /** `whsec_` and the base64 of the bytes that sign `v1`. */
  readonly secret: string;
  /** The private key that signs `v1a`: the base64 of its PKCS #8. */
  readonly signingKey: string;
}

export interface NewSigningPair extends SigningPair {
  /** `whpk_` and the base64 of the 32 bytes of the public key. */
  readonly publicKey: string;
}

/** The bytes of an ed25519 key before the key itself in a SubjectPublicKeyInfo (RFC 8410, 4). */
const publicKeyPrefixBytes = 12;

export function newSigningPair(): NewSigningPair {
  const { publicKey, privateKey } = generateKeyPairSync("ed25519", {
    publicKeyEncoding: { type: "spki", format: "der" },
    privateKeyEncoding: { type: "pkcs8", format: "der" },
  });
  const raw = publicKey.subarray(publicKeyPrefixBytes);
  return {
    secret: newSecret("webhookSecret"),
    signingKey: privateKey.toString("base64"),
    publicKey: `whpk_${raw.toString("base64")}`,
  };
}

/** A request to an endpoint before its signature. */
export interface UnsignedMessage {
  readonly id: string;
  readonly at: Date;
  readonly body: string;
}

/**
 * The header fields of Standard Webhooks. Each pair signs with both schemes, so that a receiver
 * that knows the former secret accepts the request during a rotation.
 */
export function signedHeaders(
  { id, at, body }: UnsignedMessage,
  pairs: readonly SigningPair[],
): Record<string, string> {
  const timestamp = String(Math.floor(at.getTime() / 1000));
  const content = `${id}.${timestamp}.${body}`;
  const signatures = pairs.flatMap(({ secret, signingKey }) => [
    `v1,${hmacOf(secret, content)}`,
    `v1a,${signatureOf(signingKey, content)}`,
  ]);
  return {
    "webhook-id": id,
    "webhook-timestamp": timestamp,
    "webhook-signature": signatures.join(" "),
  };
}

function hmacOf(secret: string, content: string): string {
  const key = Buffer.from(secret.slice(secret.indexOf("_") + 1), "base64");
  return createHmac("sha256", key).update(content).digest("base64");
}

function signatureOf(signingKey: string, content: string): string {
  const der = Buffer.from(signingKey, "base64");
  const key = createPrivateKey({ key: der, format: "der", type: "pkcs8" });
  return sign(null, Buffer.from(content), key).toString("base64");
}
