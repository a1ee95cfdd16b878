import { parsedJson } from "#lib/json/value.ts";
import { streamOf } from "#lib/network/stream.ts";
import type { BlobAddress, BlobContent, BlobStore } from "../../../files/blob-store.ts";
import { DamagedFileError } from "../../../kit/storage-errors.ts";
import { linesOf, type SealedObjects } from "../place/sealed-objects.ts";
import {
  blobName,
  partName,
  setFile,
  type SetBlob,
  type SetFile,
  type SetManifest,
} from "./backup-set.ts";
import { blobsOfSet } from "./take-set.ts";

/** The files of a set, read from its place and decrypted. */
export class SetFiles {
  private constructor(
    private readonly objects: SealedObjects,
    readonly files: ReadonlyMap<string, SetFile>,
    private readonly blobs: ReadonlyMap<string, SetBlob>,
  ) {}

  static async open(objects: SealedObjects, manifest: SetManifest): Promise<SetFiles> {
    const blobs = new Map<string, SetBlob>();
    for await (const each of blobsOfSet(objects, manifest)) blobs.set(each.blob, each);
    const files = new Map<string, SetFile>();
    const name = partName(manifest.name, "files");
    const content = objects.read(name, manifest.parts.files, { isSealed: true });
    for await (const text of linesOf(content)) {
      const parsed = setFile.safeParse(parsedJson(text));
      if (!parsed.success) throw new DamagedFileError(`The list of files of ${name} is damaged`);
      files.set(keyOf(parsed.data), parsed.data);
    }
    return new SetFiles(objects, files, blobs);
  }

  /** The bytes of a file, whose digest is checked at the end; undefined where the set lacks it. */
  read(address: BlobAddress): AsyncIterable<Uint8Array> | undefined {
    const file = this.files.get(keyOf(address));
    if (file?.blob === undefined) return undefined;
    const stored = this.blobs.get(file.blob);
    if (stored === undefined || stored.sha256 !== file.sha256) {
      throw new DamagedFileError(`The backup does not list the content of ${file.sha256}`);
    }
    return this.objects.read(blobName(stored.object), stored, { isSealed: true });
  }

  /** A store that can be read only, e.g. by the doctor. Files that were gone count as stored. */
  asStore(): BlobStore {
    const refuse = (): Promise<never> => Promise.reject(new TypeError("a backup is read-only"));
    const { files } = this;
    return {
      stage: refuse,
      withFile: refuse,
      remove: refuse,
      removeFolder: refuse,
      sweep: refuse,
      check: async () => {},
      open: async (address) => {
        const file = files.get(keyOf(address));
        const content = this.read(address);
        return file === undefined || content === undefined
          ? undefined
          : wholeContent(file.size, content);
      },
      stat: async (address) => {
        const file = files.get(keyOf(address));
        return file === undefined || file.isLost === true ? undefined : { size: file.size };
      },
      async *list(workspaceId) {
        for (const { sha256, size, ...file } of files.values()) {
          if (file.workspaceId === workspaceId && file.blob !== undefined) {
            yield { workspaceId, sha256, size };
          }
        }
      },
    };
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
