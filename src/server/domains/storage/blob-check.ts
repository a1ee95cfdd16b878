import type { BlobAddress, BlobStore } from "../../files/blob-store.ts";
import { digestBlob } from "../../files/copy-blob.ts";
import { blobReferences, isBlobNamed } from "../../files/reference-store.ts";
import type { Reader } from "../../database/database.ts";
import { Tally, type Finding } from "./finding.ts";

export interface BlobCheckOptions {
  readonly reader: Reader;
  readonly blobs: BlobStore;
  readonly workspaceId: string;
  /** Files that are looked at in each direction. */
  readonly limit: number;
  /** When it has looked at enough, on the clock of `performance.now()`; missing: never. */
  readonly endsAtMs?: number | undefined;
  /** Also reads every file and compares its digest. */
  readonly withDigests: boolean;
  readonly signal?: AbortSignal | undefined;
}

export interface BlobCheck {
  readonly findings: readonly Finding[];
  readonly checked: number;
  /** False where the limit came before the end. */
  readonly complete: boolean;
  /** The first of the files that no row names, at most {@link maximumOrphans}. */
  readonly orphans: readonly BlobAddress[];
}

/** Kept for their removal; a store with more of them is mended in more than one run. */
const maximumOrphans = 100_000;

const mend =
  "Put the files back from a backup, or upload them again: documents after they were deleted, " +
  "records' files in their place";

/** Files that rows name and the store lacks, and files of the store that no row names. */
export async function checkBlobs(options: BlobCheckOptions): Promise<BlobCheck> {
  const { reader, blobs, workspaceId, limit, endsAtMs = Infinity, signal } = options;
  const isEnough = (count: number) => count === limit || performance.now() >= endsAtMs;
  const missing = new Tally();
  const damaged = new Tally();
  const orphaned = new Tally();
  const orphans: BlobAddress[] = [];
  let checked = 0;
  let complete = true;
  for await (const { sha256, size, isNeeded } of blobReferences(reader, workspaceId)) {
    signal?.throwIfAborted();
    if (isEnough(checked)) {
      complete = false;
      break;
    }
    checked += 1;
    const address = { workspaceId, sha256 };
    const stat = await blobs.stat(address);
    if (stat === undefined) {
      // It may have been deleted since its row was read.
      if (isNeeded && (await isBlobNamed(reader, address))) missing.add(sha256);
    } else if (stat.size !== size) damaged.add(sha256);
    else if (options.withDigests && (await digestBlob(blobs, address)) !== sha256) {
      damaged.add(sha256);
    }
  }
  let seen = 0;
  for await (const { sha256 } of blobs.list(workspaceId)) {
    signal?.throwIfAborted();
    if (isEnough(seen)) {
      complete = false;
      break;
    }
    seen += 1;
    if (await isBlobNamed(reader, { workspaceId, sha256 })) continue;
    if (orphans.length < maximumOrphans) orphans.push({ workspaceId, sha256 });
    else orphaned.add(sha256);
  }
  // Its document may have been accepted since: a file is there a moment before its row.
  const unnamed: BlobAddress[] = [];
  for (const address of orphans) {
    if (await isBlobNamed(reader, address)) continue;
    orphaned.add(address.sha256);
    unnamed.push(address);
  }
  const shared = { backend: "blob", workspaceId } as const;
  const findings: Finding[] = [];
  if (missing.count > 0) {
    findings.push({
      ...shared,
      ...tallied(missing),
      code: "blob-missing",
      severity: "error",
      detail: "Documents or records name files that the file store does not have",
      mend,
      fixable: false,
    });
  }
  if (damaged.count > 0) {
    findings.push({
      ...shared,
      ...tallied(damaged),
      code: "blob-damaged",
      severity: "error",
      detail: "Files do not hold the bytes that were stored",
      mend,
      fixable: false,
    });
  }
  if (orphaned.count > 0) {
    findings.push({
      ...shared,
      ...tallied(orphaned),
      code: "blob-orphaned",
      severity: "warning",
      detail: "The file store has files that no document and no record names",
      // Only an SQLite file says whether a platform runs, whose uploads these might be.
      ...(reader.dialect === "sqlite"
        ? {
            mend: "Stop the platform and run `svc serve doctor --fix`, which removes them",
            fixable: true,
          }
        : {
            mend: "Stop every platform of this database, and remove the files from the store",
            fixable: false,
          }),
    });
  }
  return { findings, checked, complete, orphans: unnamed };
}

function tallied({ count, examples }: Tally): Pick<Finding, "count" | "examples"> {
  return { count, examples };
}
