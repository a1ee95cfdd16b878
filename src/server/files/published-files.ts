import type { BlobAddress, BlobStore } from "./blob-store.ts";

/** A file that a transaction may reference from now on. */
export interface PublishedFile extends BlobAddress {
  readonly size: number;
}

/** The same file store, which notes each file before it can be read. A failed note fails it. */
export function notedBlobs(
  blobs: BlobStore,
  note: (file: PublishedFile) => Promise<void>,
): BlobStore {
  return {
    ...blobs,
    async stage(...given) {
      const staged = await blobs.stage(...given);
      const { address, size } = staged;
      return {
        address,
        size,
        get mayBePublished() {
          return staged.mayBePublished;
        },
        async publish() {
          await note({ ...address, size });
          return staged.publish();
        },
        discard: () => staged.discard(),
      };
    },
  };
}
