import type { Reader } from "../../database/database.ts";
import type { BlobStore } from "../../files/blob-store.ts";
import { copyBlob, digestBlob } from "../../files/copy-blob.ts";
import { blobReferences, type BlobReference } from "../../files/reference-store.ts";

export interface FileCounts {
  /** Files that the database names and the target has. */
  files: number;
  bytes: number;
  /** Files that were copied now; the others were there. */
  copied: number;
  /** Files that the source lacks or has damaged, or that the target lacks in a check. */
  lost: number;
}

export interface FileStores {
  readonly source: BlobStore;
  readonly target: BlobStore;
}

export interface FileOptions {
  readonly signal?: AbortSignal | undefined;
  readonly onFile: (counts: Readonly<FileCounts>) => void;
}

/** Copies the files that a database names and the target lacks; each digest is checked. */
export async function copyFiles(
  reader: Reader,
  { source, target }: FileStores,
  options: FileOptions,
): Promise<FileCounts> {
  return eachFile(reader, options, async (file, counts) => {
    if ((await target.stat(file))?.size === file.size) return true;
    if ((await copyBlob(source, target, file, options.signal)) !== "copied") return false;
    counts.copied += 1;
    return true;
  });
}

/** Reads the files of the target that a database names, and compares their digests. */
export async function checkFiles(
  reader: Reader,
  { target }: Pick<FileStores, "target">,
  options: FileOptions,
): Promise<FileCounts> {
  return eachFile(
    reader,
    options,
    async (file) => (await digestBlob(target, file)) === file.sha256,
  );
}

async function eachFile(
  reader: Reader,
  { signal, onFile }: FileOptions,
  isThere: (file: BlobReference, counts: FileCounts) => Promise<boolean>,
): Promise<FileCounts> {
  const counts: FileCounts = { files: 0, bytes: 0, copied: 0, lost: 0 };
  for await (const file of blobReferences(reader)) {
    signal?.throwIfAborted();
    if (await isThere(file, counts)) {
      counts.files += 1;
      counts.bytes += file.size;
    } else if (file.isNeeded) counts.lost += 1;
    onFile(counts);
  }
  return counts;
}
