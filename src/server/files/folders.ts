import { mkdir, open, readdir } from "node:fs/promises";
import { dirname } from "node:path";
import { storageFault } from "./file-writer.ts";

/** Makes the folder and its parents, and syncs each parent. */
export async function makeFolder(path: string): Promise<void> {
  try {
    const first = await mkdir(path, { recursive: true, mode: 0o700 });
    if (first === undefined) return;
    for (let folder = path; folder.length >= first.length; folder = dirname(folder)) {
      await syncFolder(dirname(folder));
    }
  } catch (error) {
    throw storageFault(error, "make a folder");
  }
}

export async function syncFolder(path: string): Promise<void> {
  const handle = await open(path, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** The names in a folder; none if it does not exist. */
export async function namesIn(path: string): Promise<string[]> {
  try {
    return await readdir(path);
  } catch (error) {
    if (isCode(error, "ENOENT", "ENOTDIR")) return [];
    throw storageFault(error, "list files");
  }
}

export function isCode(error: unknown, ...codes: readonly string[]): boolean {
  return error instanceof Error && "code" in error && codes.includes(String(error.code));
}
