import { mkdtemp } from "node:fs/promises";
import { join } from "node:path";
import { makePrivateFolder } from "#lib/atomic-write.ts";
import { removeOldEntries } from "./old-entries.ts";

const folderName = "opened";

/** A new private folder for a file that a viewer opens; removes those older than 24 hours. */
export async function openedFolder(configDirectory: string, nowMs: number): Promise<string> {
  const folder = join(configDirectory, folderName);
  await makePrivateFolder(folder);
  await removeOldEntries(folder, nowMs, { folders: true });
  return mkdtemp(join(folder, "file-"));
}
