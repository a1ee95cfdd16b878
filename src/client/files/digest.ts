import type { createHash } from "node:crypto";

export interface Digest {
  update(chunk: Uint8Array): void;
  /** The digest in lower-case hexadecimal; undefined if the runtime computes none by parts. */
  hex(): string | undefined;
}

/** Starts a SHA-256. Browsers digest only whole buffers: there, only lengths are checked. */
export async function startDigest(): Promise<Digest> {
  const crypto: { readonly createHash?: typeof createHash } = await import("node:crypto").catch(
    () => ({}),
  );
  if (crypto.createHash === undefined) return { update: () => undefined, hex: () => undefined };
  const hash = crypto.createHash("sha256");
  return { update: (chunk) => void hash.update(chunk), hex: () => hash.digest("hex") };
}
