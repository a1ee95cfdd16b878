import * as z from "zod";
import { parsedJson, sortedJson } from "#lib/json/value.ts";
import { DamagedFileError } from "../../../kit/storage-errors.ts";
import { packedPlace, packObjects, removePlaced, sidecar } from "../place/packed-objects.ts";
import type { BackupPlace } from "../place/placed-objects.ts";
import { linesOf, storedContent, type SealedObjects } from "../place/sealed-objects.ts";
import { setBlob, setFile, type SetBlob, type SetFile } from "../sets/backup-set.ts";

/**
 * Files that were stored since a backup. `files/<list>` has their addresses, `files/<list>.json`
 * the names and digests of their contents in `blobs/`, and `files/<list>.open` the objects of a
 * list that is not whole yet.
 */
const listsFolder = "files";
const openEnd = ".open";
const namePattern = /^(\d{13})-[\da-f]{8}$/;
/** A list that is not whole after this time has no writer. */
const openMs = 24 * 60 * 60 * 1000;

const fileList = z.object({
  list: storedContent,
  blobs: z.array(setBlob),
  /** SHA-256 of the other members. */
  sha256: z.string(),
});
const openList = z.object({ objects: z.array(z.string()) });

export function newListName(nowMs: number): string {
  return `${String(nowMs).padStart(13, "0")}-${crypto.randomUUID().slice(0, 8)}`;
}

/** Names the objects of a list before they are stored, so that no removal takes them. */
export async function openFileList(
  place: BackupPlace,
  name: string,
  objects: readonly string[],
): Promise<void> {
  const text = JSON.stringify({ objects });
  await place.put(`${listsFolder}/${name}${openEnd}`, Buffer.from(text));
}

/** Stores a list, which exists with its last object. */
export async function storeFileList(
  objects: SealedObjects,
  name: string,
  { files, blobs }: { readonly files: readonly SetFile[]; readonly blobs: readonly SetBlob[] },
): Promise<void> {
  const { place } = objects;
  const lines = async function* (): AsyncGenerator<Uint8Array> {
    for (const file of files) yield Buffer.from(`${JSON.stringify(file)}\n`);
  };
  const path = `${listsFolder}/${name}`;
  const list = await objects.put(path, lines(), { isSealed: true });
  const unsigned = { list, blobs };
  const text = JSON.stringify({ ...unsigned, sha256: digestOf(unsigned) });
  await place.put(path + sidecar, Buffer.from(text));
  await place.remove(path + openEnd);
}

/** The whole lists of a place. */
export interface PlacedLists {
  /** The names of the lists, oldest first. */
  readonly names: readonly string[];
  /** The content of a list; throws `DamagedFileError`. */
  read(name: string): Promise<z.output<typeof fileList>>;
  /** The place with the packed objects as if each of them existed. */
  readonly packed: BackupPlace;
}

export async function placedLists(place: BackupPlace): Promise<PlacedLists> {
  const packed = await packedPlace(place, listsFolder);
  const names: string[] = [];
  for await (const { name } of packed.list(listsFolder)) {
    const list = name.slice(`${listsFolder}/`.length).replace(sidecar, "");
    if (name.endsWith(sidecar) && namePattern.test(list)) names.push(list);
  }
  return {
    packed,
    names: names.toSorted(),
    async read(name) {
      const bytes = await packed.read(`${listsFolder}/${name}${sidecar}`);
      const parsed = fileList.safeParse(parsedJson(Buffer.from(bytes ?? "").toString()));
      if (parsed.success) {
        const { sha256, ...unsigned } = parsed.data;
        if (sha256 === digestOf(unsigned)) return parsed.data;
      }
      throw new DamagedFileError(`The list of files ${name} is damaged`);
    },
  };
}

/** The files of all lists with their contents. Throws `DamagedFileError`. */
export async function* listedFiles(
  objects: SealedObjects,
): AsyncGenerator<{ readonly file: SetFile; readonly blob: SetBlob }, void, undefined> {
  const lists = await placedLists(objects.place);
  const packed = objects.over(lists.packed);
  for (const name of lists.names) {
    const { list, blobs } = await lists.read(name);
    const contents = new Map(blobs.map((each) => [each.blob, each]));
    const lines = linesOf(packed.read(`${listsFolder}/${name}`, list, { isSealed: true }));
    for await (const text of lines) {
      const file = setFile.safeParse(parsedJson(text)).data;
      const blob = contents.get(file?.blob ?? "");
      if (file === undefined || blob?.sha256 !== file.sha256) {
        throw new DamagedFileError(`The list of files ${name} is damaged`);
      }
      yield { file, blob };
    }
  }
}

/** The names of all objects that lists have, whole ones and others. Throws `DamagedFileError`. */
export async function* objectsOfLists(place: BackupPlace): AsyncGenerator<string, void, undefined> {
  // A list becomes whole before it is no longer open.
  for await (const { name } of place.list(listsFolder)) {
    if (!name.endsWith(openEnd)) continue;
    const bytes = await place.read(name);
    yield* openList.safeParse(parsedJson(Buffer.from(bytes ?? "").toString())).data?.objects ?? [];
  }
  const lists = await placedLists(place);
  for (const name of lists.names) {
    for (const { object } of (await lists.read(name)).blobs) yield object;
  }
}

/** Packs the lists of files that were stored before a time; returns how many objects it packed. */
export async function packListsBefore(
  place: BackupPlace,
  beforeMs: number,
  signal: AbortSignal | undefined,
): Promise<number> {
  const isPacked = (name: string): boolean =>
    !name.endsWith(openEnd) && (timeOfList(name) ?? beforeMs) < beforeMs;
  return packObjects(place, listsFolder, isPacked, signal);
}

/** Removes lists of files that were stored before a time; returns how many. */
export async function removeListsBefore(
  place: BackupPlace,
  { beforeMs, nowMs }: { readonly beforeMs: number; readonly nowMs: number },
  signal: AbortSignal | undefined,
): Promise<number> {
  return removePlaced(
    place,
    listsFolder,
    (name) => {
      const ms = timeOfList(name);
      const keptSinceMs = name.endsWith(openEnd) ? nowMs - openMs : beforeMs;
      return ms !== undefined && ms < keptSinceMs;
    },
    signal,
  );
}

/** The time of a list, or of an object of it, in milliseconds. */
export function timeOfList(name: string): number | undefined {
  const list = name.replace(`${listsFolder}/`, "").replace(/\.(json|open|\d+)$/, "");
  const [, ms] = namePattern.exec(list) ?? [];
  return ms === undefined ? undefined : Number(ms);
}

function digestOf(unsigned: object): string {
  return Bun.CryptoHasher.hash("sha256", sortedJson(unsigned), "hex");
}
