import type { BlobAddress, BlobStore } from "../../files/blob-store.ts";
import { digestBlob } from "../../files/copy-blob.ts";
import { blobReferences, isBlobNamed } from "../../files/reference-store.ts";
import type { Reader } from "../../database/database.ts";
import { Tally, type Finding } from "./finding.ts";

export interface BlobCheckOptions {
  readonly reader: Reader;
  readonly blobs: BlobStore;
  readonly workspaceId: string;
  /** Maximum number of files to check in each direction. */
  readonly limit: number;
  /** Deadline on the clock of `performance.now()`; none by default. */
  readonly endsAtMs?: number | undefined;
  /** True if the check reads every file and compares its digest. */
  readonly withDigests: boolean;
  readonly signal?: AbortSignal | undefined;
}

export interface BlobCheck {
  readonly findings: readonly Finding[];
  readonly checked: number;
  /** False when the limit or the deadline stopped the check. */
  readonly complete: boolean;
  /** The first files that no row names, at most {@link maximumOrphans}. */
  readonly orphans: readonly BlobAddress[];
}

/** One run of the doctor removes at most this many files. */
const maximumOrphans = 100_000;

const mend =
  "Put the files back from a backup, or upload them again: first delete a document, or replace " +
  "the file of a record";

/** Finds files that rows name and the store lacks, and files of the store that no row names. */
export async function checkBlobs(options: BlobCheckOptions): Promise<BlobCheck> {
  const { reader, workspaceId } = options;
  const named = await checkNamedBlobs(options);
  const stored = await checkStoredBlobs(options);
  const shared = { backend: "blob", workspaceId } as const;
  return {
    checked: named.checked,
    complete: named.complete && stored.complete,
    orphans: stored.orphans,
    findings: [
      ...named.missing.finding({
        ...shared,
        code: "blob-missing",
        severity: "error",
        detail: "Documents or records name files that the file store does not have",
        mend,
        fixable: false,
      }),
      ...named.damaged.finding({
        ...shared,
        code: "blob-damaged",
        severity: "error",
        detail: "The stored bytes of files differ from the uploaded bytes",
        mend,
        fixable: false,
      }),
      ...stored.orphaned.finding({
        ...shared,
        code: "blob-orphaned",
        severity: "warning",
        detail: "The file store has files that no document or record names",
        // Only an SQLite file shows whether a platform runs that may own these files as uploads.
        ...(reader.dialect === "sqlite"
          ? {
              mend: "Stop the platform and run `svc serve doctor --fix`, which removes them",
              fixable: true,
            }
          : {
              mend: "Stop every platform of this database, and remove the files from the store",
              fixable: false,
            }),
      }),
    ],
  };
}

/** True if a check has used up its limit or its time. */
function isOver({ limit, endsAtMs = Infinity }: BlobCheckOptions, count: number): boolean {
  return count === limit || performance.now() >= endsAtMs;
}

async function checkNamedBlobs(
  options: BlobCheckOptions,
): Promise<{ missing: Tally; damaged: Tally; checked: number; complete: boolean }> {
  const { reader, blobs, workspaceId, withDigests, signal } = options;
  const missing = new Tally();
  const damaged = new Tally();
  let checked = 0;
  for await (const { sha256, size, isNeeded } of blobReferences(reader, workspaceId)) {
    signal?.throwIfAborted();
    if (isOver(options, checked)) return { missing, damaged, checked, complete: false };
    checked += 1;
    const address = { workspaceId, sha256 };
    const stat = await blobs.stat(address);
    if (stat === undefined) {
      // The row may have been deleted since it was read.
      if (isNeeded && (await isBlobNamed(reader, address))) missing.add(sha256);
    } else if (stat.size !== size) damaged.add(sha256);
    else if (withDigests && (await digestBlob(blobs, address)) !== sha256) damaged.add(sha256);
  }
  return { missing, damaged, checked, complete: true };
}

async function checkStoredBlobs(
  options: BlobCheckOptions,
): Promise<{ orphaned: Tally; orphans: BlobAddress[]; complete: boolean }> {
  const { reader, blobs, workspaceId, signal } = options;
  const orphaned = new Tally();
  const candidates: BlobAddress[] = [];
  let seen = 0;
  let complete = true;
  for await (const { sha256 } of blobs.list(workspaceId)) {
    signal?.throwIfAborted();
    if (isOver(options, seen)) {
      complete = false;
      break;
    }
    seen += 1;
    if (await isBlobNamed(reader, { workspaceId, sha256 })) continue;
    if (candidates.length < maximumOrphans) candidates.push({ workspaceId, sha256 });
    else orphaned.add(sha256);
  }
  // A file is stored a moment before its row, so look again.
  const orphans: BlobAddress[] = [];
  for (const address of candidates) {
    if (await isBlobNamed(reader, address)) continue;
    orphaned.add(address.sha256);
    orphans.push(address);
  }
  return { orphaned, orphans, complete };
}
