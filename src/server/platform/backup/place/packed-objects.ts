import * as z from "zod";
import { parsedJson, sortedJson } from "#lib/json/value.ts";
import { DamagedFileError } from "../../../kit/storage-errors.ts";
import { pieceBytes, type BackupPlace, type PlacedObject } from "./placed-objects.ts";

/** The end of the name of an object with the digests of a content. */
export const sidecar = ".json";

/**
 * Many small objects of a folder in one: `<folder>/packs/<pack>` has their bytes one after the
 * other, and `<folder>/packs/<pack>.json` their names. The objects are as they were, also encrypted
 * ones.
 */
const packsFolder = "packs";
const packedObject = z.object({ name: z.string(), size: z.int().min(0), sha256: z.string() });
const packIndex = z.object({
  objects: z.array(packedObject),
  /** SHA-256 of the other member. */
  sha256: z.string(),
});
type PackedObject = z.output<typeof packedObject>;

interface Pack {
  /** The name of the object with the bytes. */
  readonly name: string;
  readonly objects: readonly PackedObject[];
}

/** A larger object stays as it is: it costs little next to its size. */
const smallBytes = 4 * 1024 * 1024;
const longestPack = 5_000;

interface FolderContent {
  readonly packs: readonly Pack[];
  /** Objects that are in no pack, or not yet removed after they were packed. */
  readonly single: readonly PlacedObject[];
  /** The names of the objects of packs, without their lists. */
  readonly contents: readonly string[];
}

async function contentOf(place: BackupPlace, folder: string): Promise<FolderContent> {
  const [packs, single, contents]: [Pack[], PlacedObject[], string[]] = [[], [], []];
  const start = `${folder}/${packsFolder}/`;
  for await (const object of place.list(folder)) {
    if (!object.name.startsWith(start)) single.push(object);
    else if (object.name.endsWith(sidecar)) {
      const pack = await readIndex(place, object.name);
      if (pack !== undefined) packs.push(pack);
    } else contents.push(object.name);
  }
  return { packs, single, contents };
}

/** Undefined for an index that was removed meanwhile. Throws `DamagedFileError`. */
async function readIndex(place: BackupPlace, name: string): Promise<Pack | undefined> {
  const bytes = await place.read(name);
  if (bytes === undefined) return undefined;
  const index = packIndex.safeParse(parsedJson(Buffer.from(bytes).toString())).data;
  if (index?.sha256 === digestOf(index?.objects)) {
    return { name: name.slice(0, -sidecar.length), objects: index.objects };
  }
  throw new DamagedFileError(`The list of packed objects ${name} is damaged`);
}

interface PackedBytes extends PackedObject {
  readonly pack: string;
  readonly begin: number;
}

function placesIn(packs: readonly Pack[]): Map<string, PackedBytes> {
  const places = new Map<string, PackedBytes>();
  for (const { name: pack, objects } of packs) {
    let begin = 0;
    for (const each of objects) {
      places.set(each.name, { ...each, pack, begin });
      begin += each.size;
    }
  }
  return places;
}

/** The place with the packed objects of a folder as if each of them existed. */
export async function packedPlace(place: BackupPlace, folder: string): Promise<BackupPlace> {
  let { packs, single } = await contentOf(place, folder);
  let packed = placesIn(packs);
  let last: { readonly pack: string; readonly bytes: Uint8Array } | undefined;
  const readPacked = async (name: string): Promise<Uint8Array | undefined> => {
    const found = packed.get(name);
    if (found === undefined) return undefined;
    const { pack, begin, size, sha256 } = found;
    if (last?.pack !== pack) {
      const bytes = await place.read(pack);
      if (bytes === undefined) throw new DamagedFileError(`The backup's ${pack} is missing`);
      last = { pack, bytes };
    }
    const bytes = last.bytes.subarray(begin, begin + size);
    if (sha256Of(bytes) === sha256) return bytes;
    throw new DamagedFileError(`The backup's ${name} is damaged: its digest differs`);
  };
  return {
    ...place,
    async read(name) {
      const bytes = (await readPacked(name)) ?? (await place.read(name));
      if (bytes !== undefined || !name.startsWith(`${folder}/`)) return bytes;
      // Another process has packed it since.
      ({ packs, single } = await contentOf(place, folder));
      packed = placesIn(packs);
      return readPacked(name);
    },
    async *list(wanted) {
      const isWanted = ({ name }: PlacedObject): boolean => name.startsWith(`${wanted}/`);
      for (const { name, size } of packed.values()) {
        if (isWanted({ name, size })) yield { name, size };
      }
      yield* single.filter((each) => isWanted(each) && !packed.has(each.name));
    },
  };
}

/**
 * Puts small objects of a folder into few; returns how many. Only one process may do so at a time:
 * the one that takes a backup.
 */
export async function packObjects(
  place: BackupPlace,
  folder: string,
  isPacked: (name: string) => boolean,
  signal: AbortSignal | undefined,
): Promise<number> {
  const { packs, single, contents } = await contentOf(place, folder);
  // A stopped run has left packs that are not whole.
  const whole = new Set(packs.map(({ name }) => name));
  await removeAll(
    place,
    contents.filter((name) => !whole.has(name)),
  );
  const known = new Set(packs.flatMap(({ objects }) => objects.map(({ name }) => name)));
  const due = single
    .filter(({ name, size }) => size <= smallBytes && isPacked(name))
    .toSorted((one, other) => (one.name < other.name ? -1 : 1));
  // A stopped run has left objects that are packed already.
  await removeAll(
    place,
    due.map(({ name }) => name).filter((name) => known.has(name)),
  );
  let [group, bytes]: [PlacedObject[], number] = [[], 0];
  let packed = 0;
  const end = async (): Promise<void> => {
    if (group.length > 1) packed += await pack(place, folder, group);
    [group, bytes] = [[], 0];
  };
  for (const each of due.filter(({ name }) => !known.has(name))) {
    signal?.throwIfAborted();
    if (bytes + each.size > pieceBytes || group.length >= longestPack) await end();
    group.push(each);
    bytes += each.size;
  }
  await end();
  return packed;
}

async function pack(
  place: BackupPlace,
  folder: string,
  group: readonly PlacedObject[],
): Promise<number> {
  const [objects, parts]: [PackedObject[], Uint8Array[]] = [[], []];
  for (const { name } of group) {
    const bytes = await place.read(name);
    if (bytes === undefined) continue;
    objects.push({ name, size: bytes.byteLength, sha256: sha256Of(bytes) });
    parts.push(bytes);
  }
  const name = `${folder}/${packsFolder}/${crypto.randomUUID()}`;
  await place.put(name, Buffer.concat(parts));
  const text = JSON.stringify({ objects, sha256: digestOf(objects) });
  await place.put(name + sidecar, Buffer.from(text));
  await removeAll(
    place,
    objects.map((each) => each.name),
  );
  return objects.length;
}

/** Removes old objects, and packs in which all objects are old; returns the number of contents. */
export async function removePlaced(
  place: BackupPlace,
  folder: string,
  isOld: (name: string) => boolean,
  signal: AbortSignal | undefined,
): Promise<number> {
  const { packs, single } = await contentOf(place, folder);
  const old = single.map(({ name }) => name).filter(isOld);
  signal?.throwIfAborted();
  await removeAll(place, old);
  const contents = new Set(old.map(contentName));
  for (const { name, objects } of packs) {
    signal?.throwIfAborted();
    if (!objects.every((each) => isOld(each.name))) continue;
    await removeAll(place, [name, name + sidecar]);
    for (const each of objects) contents.add(contentName(each.name));
  }
  return contents.size;
}

/** The digests go first: a content without them does not exist. */
async function removeAll(place: BackupPlace, names: readonly string[]): Promise<void> {
  const isSidecar = (name: string): boolean => name.endsWith(sidecar);
  for (const name of names.filter(isSidecar)) await place.remove(name);
  for (const name of names.filter((each) => !isSidecar(each))) await place.remove(name);
}

function contentName(name: string): string {
  return name.replace(/\.(json|\d+)$/, "");
}

function sha256Of(bytes: Uint8Array): string {
  return Bun.CryptoHasher.hash("sha256", bytes, "hex");
}

function digestOf(objects: readonly PackedObject[] | undefined): string {
  return sha256Of(Buffer.from(sortedJson(objects)));
}
