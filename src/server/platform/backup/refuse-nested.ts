import { realpath } from "node:fs/promises";
import { basename, dirname, isAbsolute, join, relative, sep } from "node:path";
import { catalogError } from "#contract/errors.ts";
import { isCode } from "../../files/folders.ts";

/**
 * Refuses a backup's folder that is, or would lie in, the data directory that it is of (E305): one
 * disk fault or one `rm` would take both, and each copy of the directory would hold its backups too.
 */
export async function refuseInsideData(output: string, dataDirectory: string): Promise<void> {
  if (!(await isInside(output, dataDirectory))) return;
  const details = `--output ${output} lies inside the data directory ${dataDirectory}`;
  const hint = "Name a folder outside of it, best on another disk";
  throw catalogError("E305", { details }, { hint });
}

/**
 * Refuses a data directory that is, or would lie in, the backup that it comes from (E305): the backup
 * would no more be what its manifest says, and who removes it would remove the platform.
 */
export async function refuseInsideBackup(dataDirectory: string, input: string): Promise<void> {
  if (!(await isInside(dataDirectory, input))) return;
  const details = `the data directory ${dataDirectory} lies inside the backup ${input}`;
  const hint = "Name an empty or new directory outside of it with --data-dir";
  throw catalogError("E305", { details }, { hint });
}

/** Whether a place is a folder or lies in it, by whatever links either is named. */
async function isInside(place: string, folder: string): Promise<boolean> {
  const [inner, outer] = await Promise.all([realPathOf(place), realPathOf(folder)]);
  const way = relative(outer, inner);
  return way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

/** An absolute path without links, also of what is yet to be made. */
async function realPathOf(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    const parent = dirname(path);
    if (parent === path || !isCode(error, "ENOENT", "ENOTDIR")) throw error;
    return join(await realPathOf(parent), basename(path));
  }
}
