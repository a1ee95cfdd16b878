import { checkSignature, SignatureError } from "#lib/minisign.ts";
import { isVersion } from "#lib/version.ts";

/** A list of digests that the release key has signed. */
export interface SignedSums {
  readonly version: string;
  /** SHA-256 in hexadecimal by file name. */
  readonly digests: ReadonlyMap<string, string>;
}

/** `SHA256SUMS` with its signature, whose comment names the version. Throws `SignatureError`. */
export function signedSums(key: string, sums: Uint8Array, signature: string): SignedSums {
  const comment = checkSignature(key, signature, sums);
  const [product, version = "", ...rest] = comment.split(" ");
  if (product !== "svc" || !isVersion(version) || rest.length > 0) {
    throw new SignatureError("the signature is not one of a list of digests");
  }
  const digests = new Map<string, string>();
  for (const line of new TextDecoder().decode(sums).split("\n")) {
    const [, digest, name] = /^([0-9a-f]{64}) [ *]([\w.+-]+)$/.exec(line) ?? [];
    if (digest !== undefined && name !== undefined) digests.set(name, digest);
  }
  return { version, digests };
}

/** Checks bytes against the signed digest of `name`. Throws `SignatureError`. */
export function checkDigest({ digests }: SignedSums, name: string, content: Uint8Array): void {
  const wanted = digests.get(name);
  if (wanted === undefined) throw new SignatureError(`the release has no ${name}`);
  if (Bun.SHA256.hash(content, "hex") !== wanted) {
    throw new SignatureError(`${name} differs from its signed digest`);
  }
}
