import { constants, lstat, open, readdir, unlink } from "node:fs/promises";
import { join } from "node:path";
import { makePrivateFolder } from "#lib/atomic-write.ts";

/** Private files in which a harness leaves its summary for `svc support`. */

const folderName = "support-context";
const keptMs = 24 * 60 * 60 * 1000;
const cleanedFiles = 1_000;

/** Creates an empty file that only its owner can read; returns its path. */
export async function allocateContextFile(configDirectory: string): Promise<string> {
  const folder = join(configDirectory, folderName);
  await makePrivateFolder(folder);
  const path = join(folder, `context-${crypto.randomUUID()}.json`);
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL;
  await (await open(path, flags, 0o600)).close();
  return path;
}

/** Removes files older than 24 hours from the folder, at most 1,000; never throws. */
export async function removeOldContextFiles(configDirectory: string, nowMs: number): Promise<void> {
  const folder = join(configDirectory, folderName);
  try {
    // A link would lead to files that are not the client's.
    if (!(await lstat(folder)).isDirectory()) return;
    const names = (await readdir(folder)).slice(0, cleanedFiles);
    for (const name of names) {
      const path = join(folder, name);
      const facts = await lstat(path);
      if (facts.isDirectory() || nowMs - facts.mtimeMs <= keptMs) continue;
      await unlink(path);
    }
  } catch {
    // The next run removes the rest.
  }
}
