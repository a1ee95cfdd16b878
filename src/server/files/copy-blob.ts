import type { BlobAddress, BlobStore } from "./blob-store.ts";

/** `damaged`: its bytes are not those of its digest, so they were not copied. */
export type BlobCopied = "copied" | "missing" | "damaged";

/** Copies a file from one store to another, durably, and holds its bytes to its digest. */
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
    ...(signal === undefined ? {} : { signal }),
  });
  try {
    if (staged.address.sha256 !== address.sha256) return "damaged";
    await staged.publish();
    return "copied";
  } finally {
    await staged.discard();
  }
}

/** The SHA-256 digest of a stored file, read at flat memory; undefined where it is not there. */
export async function digestBlob(
  store: BlobStore,
  address: BlobAddress,
): Promise<string | undefined> {
  const content = await store.open(address);
  return content === undefined ? undefined : digestOf(content.stream());
}

/** The SHA-256 digest of bytes as they come. */
export async function digestOf(chunks: AsyncIterable<Uint8Array>): Promise<string> {
  const hasher = new Bun.CryptoHasher("sha256");
  for await (const chunk of chunks) hasher.update(chunk);
  return hasher.digest("hex");
}
