import { lstat, readdir, rm } from "node:fs/promises";
import { userInfo } from "node:os";
import { join } from "node:path";

/** First letters of the folder with a record in an editor. */
export const editFolderPrefix = "svc-edit-";
/** First letters of a demo's folder. */
export const demoFolderPrefix = "svc-demo-";
/** First letters of the folder with a file that the platform has fetched. */
export const fetchFolderPrefix = "svc-url-";

/** An editor or a demo may stay open over days. */
const abandonedAfterMs = 7 * 24 * 60 * 60_000;
const maximumFolders = 100;

/**
 * Removes this user's folders below `parent` whose names start with `prefix` and which have not
 * changed for `idleMs` (a week): a killed process leaves them. Folders of other users stay.
 */
export async function removeAbandonedFolders(
  parent: string,
  prefix: string,
  idleMs: number = abandonedAfterMs,
): Promise<void> {
  const names = await readdir(parent).catch(() => []);
  const { uid } = userInfo();
  for (const name of names.filter((each) => each.startsWith(prefix)).slice(0, maximumFolders)) {
    const path = join(parent, name);
    const facts = await lstat(path).catch(() => undefined);
    if (facts?.isDirectory() !== true || facts.uid !== uid) continue;
    if (Date.now() - facts.mtimeMs < idleMs) continue;
    await rm(path, { recursive: true, force: true }).catch(() => undefined);
  }
}
