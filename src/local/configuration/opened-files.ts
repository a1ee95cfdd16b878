import { mkdtemp, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { makePrivateFolder } from "#lib/files/atomic-write.ts";
import { removeOldEntries } from "./old-entries.ts";

const folderName = "opened";
const filePrefix = "file-";

/** A new private folder for a file that a viewer opens; removes those older than 24 hours. */
export async function openedFolder(configDirectory: string, nowMs: number): Promise<string> {
  const folder = join(configDirectory, folderName);
  await makePrivateFolder(folder);
  await removeOldEntries(folder, nowMs, { folders: true });
  return mkdtemp(join(folder, filePrefix));
}

/** Removes every file that was opened, also where the folder is a symbolic link. Never throws. */
export async function removeOpenedFiles(configDirectory: string): Promise<void> {
  const folder = join(configDirectory, folderName);
  for (const name of await readdir(folder).catch(() => [])) {
    if (!name.startsWith(filePrefix)) continue;
    await rm(join(folder, name), { recursive: true, force: true }).catch(() => undefined);
  }
}
