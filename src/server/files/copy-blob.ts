import { given } from "#lib/given.ts";
import type { BlobAddress, BlobStore } from "./blob-store.ts";

/** `damaged`: the bytes do not match the digest, so they were not copied. */
export type BlobCopied = "copied" | "missing" | "damaged";

/** Copies a file from one store to another, durably, and checks its digest. */
export async function copyBlob(
  from: BlobStore,
  to: BlobStore,
  address: BlobAddress,
  signal?: AbortSignal,
): Promise<BlobCopied> {
  const content = await from.open(address);
  if (content === undefined) return "missing";
  const staged = await to.stage(address.workspaceId, content.stream(), {
    limitBytes: content.size,
    ...given({ signal }),
  });
  try {
    if (staged.address.sha256 !== address.sha256) return "damaged";
    await staged.publish();
    return "copied";
  } finally {
    await staged.discard();
  }
}

/** The SHA-256 digest of a stored file, in constant memory; undefined if it does not exist. */
export async function digestBlob(
  store: BlobStore,
  address: BlobAddress,
): Promise<string | undefined> {
  const content = await store.open(address);
  return content === undefined ? undefined : digestOf(content.stream());
}

export async function digestOf(chunks: AsyncIterable<Uint8Array>): Promise<string> {
  const hasher = new Bun.CryptoHasher("sha256");
  for await (const chunk of chunks) hasher.update(chunk);
  return hasher.digest("hex");
}
