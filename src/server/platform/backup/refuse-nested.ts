import { realpath } from "node:fs/promises";
import { basename, dirname, isAbsolute, join, relative, sep } from "node:path";
import { catalogError } from "#contract/errors.ts";
import { isCode } from "../../files/folders.ts";

/** Refuses a backup folder inside its data directory (E305): one `rm` would remove both. */
export async function refuseInsideData(output: string, dataDirectory: string): Promise<void> {
  if (!(await isInside(output, dataDirectory))) return;
  const details = `--output ${output} is inside the data directory ${dataDirectory}`;
  const hint = "Give a folder outside of it, if possible on another disk";
  throw catalogError("E305", { details }, { hint });
}

/** Refuses a data directory inside its backup (E305): it would change the backup. */
export async function refuseInsideBackup(dataDirectory: string, input: string): Promise<void> {
  if (!(await isInside(dataDirectory, input))) return;
  const details = `the data directory ${dataDirectory} is inside the backup ${input}`;
  const hint = "Give an empty or new directory outside of it with --data-dir";
  throw catalogError("E305", { details }, { hint });
}

/** True if a path is a folder or inside it, after links are resolved. */
export async function isInside(path: string, folder: string): Promise<boolean> {
  const [inner, outer] = await Promise.all([realPathOf(path), realPathOf(folder)]);
  const between = relative(outer, inner);
  return between !== ".." && !between.startsWith(`..${sep}`) && !isAbsolute(between);
}

/** The absolute path without links; the path need not exist. */
async function realPathOf(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    const parent = dirname(path);
    if (parent === path || !isCode(error, "ENOENT", "ENOTDIR")) throw error;
    return join(await realPathOf(parent), basename(path));
  }
}
