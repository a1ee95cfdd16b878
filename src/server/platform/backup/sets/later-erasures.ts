import { erasedId } from "../erasure-lists.ts";
import type { ErasedId } from "../../../domains/erasures/service.ts";
import { parsedJson } from "#lib/json/value.ts";
import { linesOf, storedContent, type SealedObjects } from "../place/sealed-objects.ts";
import { partName, placedSets, readManifest, type SetManifest } from "./backup-set.ts";
import { DamagedFileError } from "../../../kit/storage-errors.ts";

const folder = "erasures";

/**
 * Stores ids that were erased or purged, for the restore of backups that still have them. The name
 * of the object has its digests, so that it needs no manifest.
 */
export async function storeErasures(
  objects: SealedObjects,
  ids: readonly ErasedId[],
  now: Date,
): Promise<void> {
  const lines = async function* (): AsyncGenerator<Uint8Array> {
    for (const id of ids) yield Buffer.from(`${JSON.stringify(id)}\n`);
  };
  const name = `${folder}/${now.toISOString().slice(0, 10)}/${crypto.randomUUID()}`;
  const stored = await objects.put(name, lines(), { isSealed: true });
  await objects.place.put(`${name}.json`, Buffer.from(JSON.stringify(stored)));
}

/** All ids that a place knows to be erased or purged, of a set and since. */
export async function erasuresFor(
  objects: SealedObjects,
  manifest: SetManifest,
): Promise<readonly ErasedId[]> {
  const ids = await idsOfSet(objects, manifest);
  const { names } = await placedSets(objects.place);
  for (const later of names.filter((name) => name > manifest.name)) {
    try {
      ids.push(...(await idsOfSet(objects, await readManifest(objects.place, later))));
    } catch (error) {
      // A later backup that is damaged prevents no restore; the objects below have its ids too.
      if (!(error instanceof DamagedFileError)) throw error;
    }
  }
  for await (const { name } of objects.place.list(folder)) {
    if (!name.endsWith(".json")) continue;
    const stored = storedContent.safeParse(
      parsedJson(Buffer.from((await objects.place.read(name)) ?? "").toString()),
    );
    if (!stored.success) throw new DamagedFileError(`The list of erasures ${name} is damaged`);
    ids.push(...(await idsIn(objects, name.slice(0, -".json".length), stored.data)));
  }
  return ids;
}

/** The ids that were erased before a set was taken. */
export function idsOfSet(
  objects: SealedObjects,
  { name, parts }: SetManifest,
): Promise<ErasedId[]> {
  return idsIn(objects, partName(name, "erasures"), parts.erasures);
}

async function idsIn(
  objects: SealedObjects,
  name: string,
  stored: SetManifest["parts"]["erasures"],
): Promise<ErasedId[]> {
  const ids: ErasedId[] = [];
  for await (const text of linesOf(objects.read(name, stored, { isSealed: true }))) {
    ids.push(erasedId.parse(parsedJson(text)));
  }
  return ids;
}
