import { lstat, readdir, rm } from "node:fs/promises";
import { userInfo } from "node:os";
import { join } from "node:path";
import { hasWriterEnded, writerMark, writerMarkPattern } from "../writer-mark.ts";

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

/** A folder of unfinished work that has not changed for so long has no writer. */
const unfinishedIdleMs = 24 * 60 * 60_000;
const unfinishedEnd = new RegExp(
  `^(?:(${writerMarkPattern})-)?[\\da-f]{8}(?:-[\\da-f]{4}){3}-[\\da-f]{12}$`,
);

/** A new name for a folder of unfinished work, which {@link removeUnfinished} finds. */
export async function unfinishedName(prefix: string): Promise<string> {
  const mark = await writerMark();
  return `${prefix}${mark === undefined ? "" : `${mark}-`}${crypto.randomUUID()}`;
}

/**
 * Removes the folders of unfinished work whose writers have ended, and those without a change for a
 * day: a writer from before a restart of the machine is known only by that. `prefix` is the part of
 * the name before the writer's mark, or its end.
 */
export async function removeUnfinished(parent: string, prefix: string): Promise<void> {
  for (const name of await readdir(parent).catch(() => [])) {
    const at = name.lastIndexOf(prefix);
    const found = at < 0 ? null : unfinishedEnd.exec(name.slice(at + prefix.length));
    if (found === null) continue;
    const path = join(parent, name);
    const [, mark] = found;
    const hasEnded = mark !== undefined && (await hasWriterEnded(mark));
    if (!hasEnded && Date.now() - (await lastChangeMs(path, 2)) < unfinishedIdleMs) continue;
    await rm(path, { recursive: true, force: true });
  }
}

/** The time of the last change of a folder or of what is in it, down to some levels. */
async function lastChangeMs(path: string, levels: number): Promise<number> {
  const facts = await lstat(path).catch(() => undefined);
  if (facts === undefined) return Date.now();
  let last = facts.mtimeMs;
  if (!facts.isDirectory() || levels === 0) return last;
  for (const name of await readdir(path).catch(() => [])) {
    last = Math.max(last, await lastChangeMs(join(path, name), levels - 1));
  }
  return last;
}
