import { rm } from "node:fs/promises";
import { DamagedFileError } from "../../../kit/storage-errors.ts";
import { objectsOfLists } from "../log/file-lists.ts";
import { pieceName, type SealedObjects } from "../place/sealed-objects.ts";
import { blobName, placedSets, readManifest, timeOfSet } from "./backup-set.ts";
import { ScratchList, workFolder } from "./scratch-list.ts";
import { blobsOfSet } from "./placed-blobs.ts";

/** Unfinished parts of a backup that no other platform can still be taking. */
const unfinishedMs = 24 * 60 * 60 * 1000;

export interface RemovedSets {
  readonly sets: readonly string[];
  readonly blobs: number;
}

/**
 * Removes backups that are older than `keptMs`, but never the newest one nor those in `keeps`, and
 * then the contents that no backup has. A damaged backup stops the removal of contents: what it has
 * is unknown.
 */
export async function removeOldSets(
  objects: SealedObjects,
  {
    keptMs,
    keeps,
    now,
    dataDirectory,
    hasFewerLists = false,
    signal,
  }: {
    readonly keptMs: number;
    /** The newest verified backup, and the one that was just taken. */
    readonly keeps: ReadonlySet<string>;
    readonly now: Date;
    /** Has the list of contents meanwhile. */
    readonly dataDirectory: string;
    /** True if lists of files were removed, whose contents are in no other list now. */
    readonly hasFewerLists?: boolean | undefined;
    readonly signal?: AbortSignal | undefined;
  },
): Promise<RemovedSets> {
  const { place } = objects;
  const sets = await placedSets(place);
  const isOld = (name: string, ms: number): boolean => timeOfSet(name) < now.getTime() - ms;
  const newest = sets.names.at(-1);
  const old = sets.names.filter(
    (name) => isOld(name, keptMs) && name !== newest && !keeps.has(name),
  );
  const unfinished = sets.incomplete.filter((name) => isOld(name, unfinishedMs));
  for (const name of [...old, ...unfinished]) {
    signal?.throwIfAborted();
    // The manifest goes first: a backup without it does not exist.
    const names = sets.objects.get(name) ?? [];
    const isManifest = (each: string): boolean => each.endsWith("/manifest.json");
    for (const each of [...names.filter(isManifest), ...names.filter((all) => !isManifest(all))]) {
      await place.remove(each);
    }
  }
  if (old.length === 0 && unfinished.length === 0 && !hasFewerLists) return { sets: [], blobs: 0 };
  const kept = sets.names.filter((name) => !old.includes(name));
  const hasOpen = sets.incomplete.length > unfinished.length;
  const blobs = hasOpen ? 0 : await removeBlobs(objects, kept, { dataDirectory, signal });
  return { sets: old, blobs };
}

async function removeBlobs(
  objects: SealedObjects,
  kept: readonly string[],
  {
    dataDirectory,
    signal,
  }: { readonly dataDirectory: string; readonly signal: AbortSignal | undefined },
): Promise<number> {
  const folder = await workFolder(dataDirectory);
  const unnamed = ScratchList.in(folder);
  try {
    // The contents come first: one that is stored later has a name in a list before.
    for await (const { name } of objects.place.list("blobs")) unnamed.set(name, name);
    const keep = (object: string, pieces: number): void => {
      for (let at = 0; at < pieces; at += 1) unnamed.delete(pieceName(blobName(object), at));
    };
    for (const name of kept) {
      signal?.throwIfAborted();
      const manifest = await readManifest(objects.place, name);
      for await (const { object, pieces } of blobsOfSet(objects, manifest)) {
        keep(object, pieces.length);
      }
    }
    for await (const object of objectsOfLists(objects.place)) {
      for (const name of unnamed.values(`${blobName(object)}.`)) unnamed.delete(name);
    }
    let removed = 0;
    for (const name of unnamed.values()) {
      signal?.throwIfAborted();
      await objects.place.remove(name);
      removed += 1;
    }
    return removed;
  } catch (error) {
    // The contents of a damaged backup are unknown.
    if (error instanceof DamagedFileError) return 0;
    throw error;
  } finally {
    await unnamed.close();
    await rm(folder, { recursive: true, force: true });
  }
}
