import { readdir, readFile, rename, rm, stat } from "node:fs/promises";
import { dirname, join, relative, sep } from "node:path";
import { FileWriter, storageFault } from "../../../files/file-writer.ts";
import { isCode, makeFolder, syncFolder } from "../../../files/folders.ts";
import type { BackupPlace, PlacedObject } from "./placed-objects.ts";

/** The end of the name of a file that is not whole; lists leave it out. */
const unfinished = ".unfinished";

/** Keeps backups in a folder: each object is a file that is written under another name. */
export function openFolderPlace(folder: string): BackupPlace {
  const pathOf = (name: string): string => join(folder, ...name.split("/"));
  return {
    name: folder,
    async put(name, bytes, signal) {
      signal?.throwIfAborted();
      const path = pathOf(name);
      await makeFolder(dirname(path));
      const writer = await FileWriter.create(`${path}.${crypto.randomUUID()}${unfinished}`);
      try {
        await writer.write(bytes);
        await writer.finish();
        await rename(writer.path, path);
        await syncFolder(dirname(path));
      } catch (error) {
        await writer.abandon();
        throw storageFault(error, "store a part of a backup");
      }
    },
    async read(name) {
      try {
        return await readFile(pathOf(name));
      } catch (error) {
        if (isCode(error, "ENOENT", "ENOTDIR")) return undefined;
        throw storageFault(error, "read a part of a backup");
      }
    },
    list: (name) => filesIn(folder, pathOf(name)),
    async remove(name) {
      try {
        await rm(pathOf(name), { force: true });
        await removeEmpty(folder, dirname(pathOf(name)));
      } catch (error) {
        throw storageFault(error, "remove a part of a backup");
      }
    },
  };
}

async function* filesIn(root: string, folder: string): AsyncGenerator<PlacedObject> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((error: unknown) => {
    if (isCode(error, "ENOENT")) return [];
    throw storageFault(error, "list backups");
  });
  for (const entry of entries) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* filesIn(root, path);
    else if (!entry.name.endsWith(unfinished)) {
      const facts = await stat(path).catch(() => undefined);
      if (facts === undefined) continue;
      yield { name: relative(root, path).split(sep).join("/"), size: facts.size };
    }
  }
}

/** Removes the folder of a removed object, where it is empty now. */
async function removeEmpty(root: string, folder: string): Promise<void> {
  if (folder === root) return;
  const names = await readdir(folder).catch(() => ["unknown"]);
  if (names.length === 0) await rm(folder, { recursive: true, force: true });
}

/** Removes files that a killed writer has left in a folder, and that no writer continues. */
export async function removeUnfinished(folder: string): Promise<void> {
  for (const entry of await readdir(folder, { recursive: true }).catch((): string[] => [])) {
    if (entry.endsWith(unfinished)) await rm(join(folder, entry), { force: true });
  }
}
