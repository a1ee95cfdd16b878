import type { createHash } from "node:crypto";

/** A SHA-256 that grows with what is read. */
export interface Digest {
  update(chunk: Uint8Array): void;
  /** In lower-case hexadecimal digits; undefined where the runtime has no digest of a stream. */
  hex(): string | undefined;
}

/**
 * Node, Bun and Deno have one. A browser digests only what it holds as a whole (Web Cryptography API), and
 * a bundler puts an empty module in the place of Node's: there lengths alone are checked.
 */
export async function startDigest(): Promise<Digest> {
  const crypto = await nodeCrypto();
  if (crypto.createHash === undefined) return { update: () => undefined, hex: () => undefined };
  const hash = crypto.createHash("sha256");
  return { update: (chunk) => void hash.update(chunk), hex: () => hash.digest("hex") };
}

type NodeCrypto = { readonly createHash?: typeof createHash };

async function nodeCrypto(): Promise<NodeCrypto> {
  try {
    return await import("node:crypto");
  } catch {
    return {};
  }
}
