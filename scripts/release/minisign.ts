import { createHash, createPrivateKey, createPublicKey, sign, type KeyObject } from "node:crypto";

/** A key that signs releases. */
export interface SigningKey {
  /** The line that `minisign -P` takes. */
  readonly publicKey: string;
  readonly isForDevelopment: boolean;
  readonly id: Buffer;
  readonly secret: KeyObject;
}

/** DER of an Ed25519 private key (RFC 8410) without its last 32 bytes. */
const privateKeyPrefix = Buffer.from("302e020100300506032b657004220420", "hex");
/** Algorithms, salt and costs of the password, key ID, seed, public key and checksum. */
const secretKeyBytes = 6 + 32 + 16 + 8 + 32 + 32 + 32;

/**
 * The key of SVC_RELEASE_KEY (the text of a key file) or SVC_RELEASE_KEY_FILE, as made by
 * `minisign -G -W`; without either the development key, which is public and protects nothing.
 */
export async function releaseKey(
  variables: Readonly<Record<string, string | undefined>>,
): Promise<SigningKey> {
  const path = variables["SVC_RELEASE_KEY_FILE"];
  const text = variables["SVC_RELEASE_KEY"] ?? (path ? await Bun.file(path).text() : undefined);
  return text === undefined || text === "" ? developmentKey() : secretKey(text);
}

/** The key of development releases and tests: made from words that everyone can read here. */
export function developmentKey(): SigningKey {
  const seed = createHash("sha256").update("svc development release key, not a secret").digest();
  return keyOf(seed, createHash("sha256").update(seed).digest().subarray(0, 8), true);
}

/** A key file of minisign without a password. */
export function secretKey(text: string): SigningKey {
  const line = text.trim().split(/\r?\n/).at(-1) ?? "";
  const bytes = Buffer.from(line, "base64");
  if (bytes.length !== secretKeyBytes || bytes.toString("latin1", 0, 2) !== "Ed") {
    throw new Error("the release key is not a key file of minisign");
  }
  if (bytes[2] !== 0 || bytes[3] !== 0) {
    throw new Error("the release key has a password: make one with `minisign -G -W`");
  }
  const id = bytes.subarray(54, 62);
  const seed = bytes.subarray(62, 94);
  const key = keyOf(seed, id, false);
  if (!rawPublicKey(key.secret).equals(bytes.subarray(94, 126))) {
    throw new Error("the release key is damaged");
  }
  return key;
}

/** A signature in the format of minisign; the trusted comment is signed too. */
export function signed(key: SigningKey, content: Uint8Array, trustedComment: string): string {
  const digest = createHash("blake2b512").update(content).digest();
  const signature = sign(null, digest, key.secret);
  const second = sign(null, Buffer.concat([signature, Buffer.from(trustedComment)]), key.secret);
  return [
    `untrusted comment: signature of ${trustedComment}`,
    Buffer.concat([Buffer.from("ED"), key.id, signature]).toString("base64"),
    `trusted comment: ${trustedComment}`,
    second.toString("base64"),
    "",
  ].join("\n");
}

/** The file that `minisign -p` takes. */
export function publicKeyFile({ publicKey, isForDevelopment }: SigningKey): string {
  const kind = isForDevelopment ? "svc development key, protects nothing" : "svc release key";
  return `untrusted comment: ${kind}\n${publicKey}\n`;
}

function keyOf(seed: Buffer, id: Buffer, isForDevelopment: boolean): SigningKey {
  const secret = createPrivateKey({
    key: Buffer.concat([privateKeyPrefix, seed]),
    format: "der",
    type: "pkcs8",
  });
  const publicKey = Buffer.concat([Buffer.from("Ed"), id, rawPublicKey(secret)]);
  return { publicKey: publicKey.toString("base64"), isForDevelopment, id, secret };
}

function rawPublicKey(secret: KeyObject): Buffer {
  const { x = "" } = createPublicKey(secret).export({ format: "jwk" });
  return Buffer.from(x, "base64url");
}
