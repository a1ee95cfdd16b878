import { readdir, stat } from "node:fs/promises";
import { dirname, join, resolve, sep } from "node:path";

export interface FolderEntry {
  readonly name: string;
  readonly path: string;
  readonly kind: "folder" | "file";
  /** Number of bytes; absent for a folder. */
  readonly size: number | undefined;
}

export interface Folder {
  readonly path: string;
  readonly entries: readonly FolderEntry[];
  /** Whether the folder has more entries than are listed. */
  readonly cut: boolean;
}

export const maximumEntries = 5_000;
/** Sizes are read for this many files only, so that large folders open fast. */
const maximumSizes = 500;

/**
 * A typed path without an earlier path before it: `/now//tmp/a` is `/tmp/a`, `/now/~/a` is `~/a`.
 * Removes the quotes that terminals put around dropped files.
 */
export function startedAnew(typed: string): string {
  const path = typed.replace(/^.*\/(?=['"]?~?\/)/s, "");
  const quoted = /^(['"])(.+)\1\s*$/s.exec(path)?.[2];
  return quoted?.replaceAll(String.raw`'\''`, "'") ?? path;
}

/** The absolute path of a typed path, which may be relative or begin with `~`. */
export function absolutePath(typed: string, currentDirectory: string, home: string): string {
  if (typed === "~") return home;
  if (typed.startsWith(`~${sep}`) || typed.startsWith("~/")) return join(home, typed.slice(2));
  return resolve(currentDirectory, typed);
}

/** The folder of a typed path, and the beginning of the name in it. */
export function splitTyped(
  typed: string,
  currentDirectory: string,
  home: string,
): { readonly folder: string; readonly prefix: string } {
  const path = absolutePath(typed, currentDirectory, home);
  if (typed === "" || typed.endsWith("/") || typed.endsWith(sep) || typed === "~") {
    return { folder: path, prefix: "" };
  }
  const folder = dirname(path);
  return { folder, prefix: path.slice(folder.length).replace(/^[/\\]/, "") };
}

export async function fileSize(path: string): Promise<number | undefined> {
  const facts = await stat(path).catch(() => undefined);
  return facts?.isFile() === true ? facts.size : undefined;
}

/** The files of a folder and of those in it. */
export interface FileTree {
  readonly files: readonly { readonly path: string; readonly size: number }[];
  readonly bytes: number;
  /** Whether there are more files than are listed. */
  readonly cut: boolean;
}

/**
 * The files below a folder, at most `most` of them, by name. Links and names that begin with a dot
 * are left out. Throws errors of the file system for the folder itself.
 */
export async function filesBelow(path: string, most: number): Promise<FileTree> {
  const files: { path: string; size: number }[] = [];
  let bytes = 0;
  const folders = [path];
  for (let folder = folders.shift(); folder !== undefined; folder = folders.shift()) {
    const isFirst = folder === path;
    const names = await readdir(folder, { withFileTypes: true }).catch((error: unknown) => {
      if (isFirst) throw error;
      return [];
    });
    for (const entry of names.toSorted((a, b) => a.name.localeCompare(b.name))) {
      if (entry.name.startsWith(".")) continue;
      const entryPath = join(folder, entry.name);
      if (entry.isDirectory()) folders.push(entryPath);
      const size = entry.isFile() ? await fileSize(entryPath) : undefined;
      if (size === undefined) continue;
      if (files.length >= most) return { files, bytes, cut: true };
      files.push({ path: entryPath, size });
      bytes += size;
    }
  }
  return { files, bytes, cut: false };
}

/** Lists a folder: folders first, then files, by name. Throws errors of the file system. */
export async function readFolder(path: string): Promise<Folder> {
  const names = await readdir(path, { withFileTypes: true });
  const listed = await Promise.all(
    names.slice(0, maximumEntries).map(async (entry, index): Promise<FolderEntry | undefined> => {
      const { name } = entry;
      const entryPath = join(path, name);
      const kind = entry.isDirectory() ? "folder" : entry.isFile() ? "file" : undefined;
      if (kind === "folder" || (kind === "file" && index >= maximumSizes)) {
        return { name, path: entryPath, kind, size: undefined };
      }
      if (kind === undefined && !entry.isSymbolicLink()) return undefined;
      // A broken link, or a file that was deleted since, is not listed.
      const facts = await stat(entryPath).catch(() => undefined);
      if (facts?.isDirectory() === true) {
        return { name, path: entryPath, kind: "folder", size: undefined };
      }
      if (facts?.isFile() !== true) return undefined;
      return { name, path: entryPath, kind: "file", size: facts.size };
    }),
  );
  const entries = listed.filter((entry) => entry !== undefined);
  entries.sort((a, b) =>
    a.kind === b.kind ? a.name.localeCompare(b.name) : a.kind === "folder" ? -1 : 1,
  );
  return { path, entries, cut: names.length > maximumEntries };
}
