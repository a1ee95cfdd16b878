import { lstat, readdir, rm } from "node:fs/promises";
import { join } from "node:path";

const keptMs = 24 * 60 * 60 * 1000;
const cleanedAtMost = 1_000;

/** Which entries of a client-owned folder are removed. */
export interface OldEntries {
  /** True if folders are removed too, with everything in them. */
  readonly folders: boolean;
  /** The age of an old entry (default 24 hours). */
  readonly ageMs?: number;
}

/** Removes old entries of a folder that the client owns, at most 1,000; never throws. */
export async function removeOldEntries(
  folder: string,
  nowMs: number,
  { folders, ageMs = keptMs }: OldEntries,
): Promise<void> {
  try {
    // A link would lead to files that are not the client's.
    if (!(await lstat(folder)).isDirectory()) return;
    for (const name of (await readdir(folder)).slice(0, cleanedAtMost)) {
      const path = join(folder, name);
      const facts = await lstat(path);
      if (nowMs - facts.mtimeMs <= ageMs || (facts.isDirectory() && !folders)) continue;
      await rm(path, { recursive: folders, force: true });
    }
  } catch {
    // The next run removes the rest.
  }
}
