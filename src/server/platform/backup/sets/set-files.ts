import { parsedJson } from "#lib/json/value.ts";
import { streamOf } from "#lib/network/stream.ts";
import type { BlobAddress, BlobContent, BlobStore } from "../../../files/blob-store.ts";
import { DamagedFileError } from "../../../kit/storage-errors.ts";
import { listedFiles } from "../log/file-lists.ts";
import { linesOf, type SealedObjects } from "../place/sealed-objects.ts";
import {
  blobName,
  partName,
  setBlob,
  setFile,
  type SetFile,
  type SetManifest,
} from "./backup-set.ts";
import { ScratchList } from "./scratch-list.ts";
import { blobsOfSet } from "./placed-blobs.ts";

/** The files of a set, read from its place and decrypted. Its lists are in a folder. */
export class SetFiles {
  private constructor(
    private readonly objects: SealedObjects,
    private readonly files: ScratchList,
    private readonly blobs: ScratchList,
  ) {}

  /** Reads the lists into a folder for unfinished work, until `close`. */
  static async open(
    objects: SealedObjects,
    manifest: SetManifest,
    folder: string,
  ): Promise<SetFiles> {
    const lists = new SetFiles(objects, ScratchList.in(folder), ScratchList.in(folder));
    try {
      for await (const each of blobsOfSet(objects, manifest)) {
        lists.blobs.set(each.blob, JSON.stringify(each));
      }
      const name = partName(manifest.name, "files");
      const content = objects.read(name, manifest.parts.files, { isSealed: true });
      for await (const text of linesOf(content)) {
        const parsed = setFile.safeParse(parsedJson(text));
        if (!parsed.success) throw new DamagedFileError(`The list of files of ${name} is damaged`);
        lists.files.set(keyOf(parsed.data), text);
      }
      return lists;
    } catch (error) {
      await lists.close();
      throw error;
    }
  }

  /** The files that were shipped with the log. Their lists are in a folder, until `close`. */
  static async shipped(objects: SealedObjects, folder: string): Promise<SetFiles> {
    const lists = new SetFiles(objects, ScratchList.in(folder), ScratchList.in(folder));
    try {
      for await (const { file, blob } of listedFiles(objects)) {
        lists.blobs.set(blob.blob, JSON.stringify(blob));
        lists.files.set(keyOf(file), JSON.stringify(file));
      }
      return lists;
    } catch (error) {
      await lists.close();
      throw error;
    }
  }

  async close(): Promise<void> {
    await Promise.all([this.files.close(), this.blobs.close()]);
  }

  /** All files, or those of one workspace. */
  *all(workspaceId?: string): Generator<SetFile, void, undefined> {
    const prefix = workspaceId === undefined ? "" : `${workspaceId}/`;
    for (const text of this.files.values(prefix)) yield setFile.parse(parsedJson(text));
  }

  #file(address: BlobAddress): SetFile | undefined {
    const text = this.files.get(keyOf(address));
    return text === undefined ? undefined : setFile.parse(parsedJson(text));
  }

  /** The bytes of a file, whose digest is checked at the end; undefined where the set lacks it. */
  read(address: BlobAddress): AsyncIterable<Uint8Array> | undefined {
    const file = this.#file(address);
    if (file?.blob === undefined) return undefined;
    const text = this.blobs.get(file.blob);
    const stored = text === undefined ? undefined : setBlob.parse(parsedJson(text));
    if (stored === undefined || stored.sha256 !== file.sha256) {
      throw new DamagedFileError(`The backup does not list the content of ${file.sha256}`);
    }
    return this.objects.read(blobName(stored.object), stored, { isSealed: true });
  }

  /** A store that can be read only, e.g. by the doctor. Files that were gone count as stored. */
  asStore(): BlobStore {
    const refuse = (): Promise<never> => Promise.reject(new TypeError("a backup is read-only"));
    return {
      stage: refuse,
      withFile: refuse,
      remove: refuse,
      removeFolder: refuse,
      sweep: refuse,
      check: async () => {},
      open: async (address) => {
        const file = this.#file(address);
        const content = this.read(address);
        return file === undefined || content === undefined
          ? undefined
          : wholeContent(file.size, content);
      },
      stat: async (address) => {
        const file = this.#file(address);
        return file === undefined || file.isLost === true ? undefined : { size: file.size };
      },
      list: (workspaceId) => this.#listed(workspaceId),
    };
  }

  async *#listed(workspaceId: string): AsyncGenerator<BlobAddress & { readonly size: number }> {
    for (const { sha256, size, blob } of this.all(workspaceId)) {
      if (blob !== undefined) yield { workspaceId, sha256, size };
    }
  }
}

function wholeContent(size: number, content: AsyncIterable<Uint8Array>): BlobContent {
  return {
    size,
    slice: () => {
      throw new TypeError("a file of a backup is read as a whole");
    },
    stream: () => streamOf(content),
  };
}

function keyOf({ workspaceId, sha256 }: BlobAddress): string {
  return `${workspaceId}/${sha256}`;
}
