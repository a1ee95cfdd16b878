import { createHash, createPublicKey, verify } from "node:crypto";

/**
 * Signatures in the format of the tool `minisign`: Ed25519 over the BLAKE2b-512 digest of a file,
 * and a second one over the first and the trusted comment.
 * https://jedisct1.github.io/minisign/#signature-format
 */

/** The signature is not one of this key over these bytes. */
export class SignatureError extends Error {
  override readonly name = "SignatureError";
}

const keyBytes = 2 + 8 + 32;
const signatureBytes = 2 + 8 + 64;
const trustedPrefix = "trusted comment: ";

/** The trusted comment of a signature by `publicKey` over `content`. Throws `SignatureError`. */
export function checkSignature(publicKey: string, signature: string, content: Uint8Array): string {
  const key = decoded(publicKey, keyBytes, "Ed", "the public key");
  const [, first = "", comment = "", second = "", ...rest] = signature.split(/\r?\n/);
  const signed = decoded(first, signatureBytes, "ED", "the signature");
  const ofComment = strictBase64(second);
  if (
    ofComment === undefined ||
    !comment.startsWith(trustedPrefix) ||
    rest.some((line) => line !== "")
  ) {
    throw new SignatureError("the signature is not in the format of minisign");
  }
  if (!signed.subarray(2, 10).equals(key.subarray(2, 10))) {
    throw new SignatureError("the signature is of another key");
  }
  const trusted = comment.slice(trustedPrefix.length);
  const publicPart = createPublicKey({
    key: { kty: "OKP", crv: "Ed25519", x: key.subarray(10).toString("base64url") },
    format: "jwk",
  });
  const digest = createHash("blake2b512").update(content).digest();
  const covered = Buffer.concat([signed.subarray(10), Buffer.from(trusted)]);
  if (
    !verify(null, digest, publicPart, signed.subarray(10)) ||
    !verify(null, covered, publicPart, ofComment)
  ) {
    throw new SignatureError("the signature does not fit the content");
  }
  return trusted;
}

function decoded(text: string, length: number, algorithm: string, name: string): Buffer {
  const bytes = strictBase64(text);
  if (bytes?.length !== length) {
    throw new SignatureError(`${name} is not in the format of minisign`);
  }
  if (bytes.toString("latin1", 0, 2) !== algorithm) {
    throw new SignatureError(`${name} is not of the kind that minisign makes`);
  }
  return bytes;
}

/** Base64 with other letters or padding would give one signature several spellings. */
function strictBase64(text: string): Buffer | undefined {
  const bytes = Buffer.from(text, "base64");
  return bytes.toString("base64") === text ? bytes : undefined;
}
