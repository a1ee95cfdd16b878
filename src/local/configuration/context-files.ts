import { constants, open } from "node:fs/promises";
import { join } from "node:path";
import { makePrivateFolder } from "#lib/files/atomic-write.ts";
import { removeOldEntries } from "./old-entries.ts";

/** Private files in which a harness leaves its summary for `svc support`. */

const folderName = "support-context";

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
  await removeOldEntries(join(configDirectory, folderName), nowMs, { folders: false });
}
