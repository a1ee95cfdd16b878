import { createHmac } from "node:crypto";
import { parsedJson } from "#lib/json/value.ts";
import type { Reader } from "../../../database/database.ts";
import type { BlobAddress, BlobStore } from "../../../files/blob-store.ts";
import { DamagedFileError } from "../../../kit/storage-errors.ts";
import { checkedSecrets } from "../../key-file.ts";
import type { StorageLocation } from "../../storage-location.ts";
import { placedLists } from "../log/file-lists.ts";
import type { BackupKeys } from "../place/backup-keys.ts";
import { linesOf, type SealedObjects } from "../place/sealed-objects.ts";
import {
  blobName,
  partName,
  placedSets,
  readManifest,
  setBlob,
  type SetBlob,
  type SetManifest,
} from "./backup-set.ts";
import { ScratchList } from "./scratch-list.ts";

export type NamesOfBlobs = (file: BlobAddress) => string;

/**
 * Names of contents: without the platform's key a reader can't find out if the place has a known
 * file. Other recipients give other names, because they can't read the same contents.
 */
export async function namesOfBlobs(
  reader: Reader,
  {
    keys,
    ...location
  }: Pick<StorageLocation, "dataDirectory" | "keyFile"> & { readonly keys: BackupKeys },
): Promise<NamesOfBlobs> {
  const secrets = await checkedSecrets(reader, location);
  const key = secrets?.for("names of backups") ?? new Uint8Array();
  const recipients = keys.recipients.toSorted().join(" ");
  return ({ workspaceId, sha256 }) =>
    createHmac("sha256", key).update(`${recipients}\n${workspaceId}\n${sha256}`).digest("hex");
}

/** A new object for a content: no object is written twice, because an older backup may have it. */
export function newObjectOf(blob: string): string {
  return `${blob}-${crypto.randomUUID().slice(0, 8)}`;
}

/** Copies a file into the place; undefined for one that is missing or damaged. */
export async function placeFile(
  objects: SealedObjects,
  source: BlobStore,
  file: BlobAddress,
  { blob, object }: Pick<SetBlob, "blob" | "object">,
): Promise<SetBlob | undefined> {
  try {
    const content = await source.open(file);
    if (content === undefined) return undefined;
    const stored = await objects.put(blobName(object), content.stream(), { isSealed: true });
    return stored.sha256 === file.sha256 ? { ...stored, blob, object } : undefined;
  } catch (error) {
    if (error instanceof DamagedFileError) return undefined;
    throw error;
  }
}

/** The contents that the place has for the next backup, by their names. */
export async function earlierBlobs(objects: SealedObjects, folder: string): Promise<ScratchList> {
  const blobs = ScratchList.in(folder);
  await addNewestBlobs(objects, blobs);
  const lists = await placedLists(objects.place);
  for (const name of lists.names) {
    const list = await lists.read(name).catch((error: unknown) => {
      // Its files are copied again.
      if (error instanceof DamagedFileError) return undefined;
      throw error;
    });
    for (const each of list?.blobs ?? []) blobs.set(each.blob, JSON.stringify(each));
  }
  return blobs;
}

/** Adds the contents of the newest readable backup; returns its name. */
export async function addNewestBlobs(
  objects: SealedObjects,
  blobs: ScratchList,
): Promise<string | undefined> {
  const { names } = await placedSets(objects.place);
  for (const name of names.toReversed()) {
    try {
      const manifest = await readManifest(objects.place, name);
      for await (const each of blobsOfSet(objects, manifest)) {
        blobs.set(each.blob, JSON.stringify(each));
      }
      return name;
    } catch (error) {
      // An older one may be sound, and without one all files are copied again.
      if (!(error instanceof DamagedFileError)) throw error;
      blobs.clear();
    }
  }
  return undefined;
}

/** The contents of a set's files. Throws `DamagedFileError`. */
export async function* blobsOfSet(
  objects: SealedObjects,
  { name, parts }: SetManifest,
): AsyncGenerator<SetBlob, void, undefined> {
  const content = objects.read(partName(name, "blobs"), parts.blobs, { isSealed: false });
  for await (const text of linesOf(content)) {
    const parsed = setBlob.safeParse(parsedJson(text));
    if (!parsed.success) throw new DamagedFileError(`The list of contents of ${name} is damaged`);
    yield parsed.data;
  }
}
