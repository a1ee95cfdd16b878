import { readdir, stat } from "node:fs/promises";
import { dirname, join, resolve, sep } from "node:path";

/** A file or folder that can be picked. */
export interface FolderEntry {
  readonly name: string;
  readonly path: string;
  readonly kind: "folder" | "file";
  /** Bytes of a file. */
  readonly size: number | undefined;
}

export interface Folder {
  readonly path: string;
  readonly entries: readonly FolderEntry[];
  /** More entries than are listed. */
  readonly cut: boolean;
}

/** Entries of a folder that are listed. */
export const maximumEntries = 5_000;
/** Sizes are looked up for this many; a folder of thousands opens at once all the same. */
const maximumSizes = 500;

/**
 * A path that was typed or pasted behind another one takes its place: `/now//tmp/a` is `/tmp/a`,
 * `/now/~/a` is `~/a`. Quotes, as terminals put them around a file that is dropped on them, go.
 */
export function startedAnew(typed: string): string {
  const path = typed.replace(/^.*\/(?=['"]?~?\/)/s, "");
  const quoted = /^(['"])(.+)\1\s*$/s.exec(path)?.[2];
  return quoted?.replaceAll(String.raw`'\''`, "'") ?? path;
}

/** What was typed as an absolute path: `~` and relative paths are understood. */
export function absolutePath(typed: string, currentDirectory: string, home: string): string {
  if (typed === "~") return home;
  if (typed.startsWith(`~${sep}`) || typed.startsWith("~/")) return join(home, typed.slice(2));
  return resolve(currentDirectory, typed);
}

/** The folder that a typed path looks into, and the beginning of the name in it. */
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

/** Bytes of the file at a path; undefined where there is none, or what is there is no file. */
export async function fileSize(path: string): Promise<number | undefined> {
  const facts = await stat(path).catch(() => undefined);
  return facts?.isFile() === true ? facts.size : undefined;
}

/** Lists a folder: folders first, then files, by name. Throws what the file system says. */
export async function readFolder(path: string): Promise<Folder> {
  const found = await readdir(path, { withFileTypes: true });
  const named = await Promise.all(
    found.slice(0, maximumEntries).map(async (entry, index): Promise<FolderEntry | undefined> => {
      const whole = join(path, entry.name);
      const linked = entry.isSymbolicLink();
      const known = entry.isDirectory() ? "folder" : entry.isFile() ? "file" : undefined;
      if (known === "folder" || (known === "file" && index >= maximumSizes)) {
        return { name: entry.name, path: whole, kind: known, size: undefined };
      }
      if (known === undefined && !linked) return undefined;
      try {
        const facts = await stat(whole);
        if (facts.isDirectory())
          return { name: entry.name, path: whole, kind: "folder", size: undefined };
        if (!facts.isFile()) return undefined;
        return { name: entry.name, path: whole, kind: "file", size: facts.size };
      } catch {
        // A link that leads nowhere, or a file that went while we looked.
        return undefined;
      }
    }),
  );
  const entries = named.filter((entry) => entry !== undefined);
  entries.sort((a, b) =>
    a.kind === b.kind ? a.name.localeCompare(b.name) : a.kind === "folder" ? -1 : 1,
  );
  return { path, entries, cut: found.length > maximumEntries };
}
