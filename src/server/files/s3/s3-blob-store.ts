import { streamOf } from "#lib/network/stream.ts";
import {
  DamagedFileError,
  FileStoreError,
  OverloadedError,
  StorageError,
} from "../../kit/storage-errors.ts";
import { BlobMissingError, isDigest, requireAddress, requireWorkspaceId } from "../blob-store.ts";
import type {
  BlobAddress,
  BlobContent,
  BlobStore,
  StagedBlob,
  SweepResult,
} from "../blob-store.ts";
import { digestOf } from "../copy-blob.ts";
import { removeStaged, StagingFolder, type Leftover, type StagedFile } from "../staging.ts";
import { isMissing, S3Bucket } from "./bucket.ts";
import { defaultS3Limits, S3Connection, type S3Limits } from "./s3-connection.ts";
import type { FilesCredentials, S3Location } from "./files-url.ts";
import {
  fileBody,
  partBytesFor,
  PartDigests,
  PartsUpload,
  usualPartBytes,
} from "./parts-upload.ts";

export interface S3BlobStoreOptions {
  readonly location: S3Location;
  readonly credentials: FilesCredentials;
  /** A local folder for uploads and for the copies that child processes read. */
  readonly directory: string;
  readonly limits?: Partial<S3Limits>;
  /** Size of a multipart upload's parts; S3 requires 5 MiB or more. */
  readonly partBytes?: number;
}

/** The most local copies at one time; each may be as large as the largest file. */
const lentFilesLimit = 16;
/** A check has few attempts, because the start and the health route wait for it. */
const checkAttempts = 2;

/**
 * Stores blobs as objects `<prefix>/<workspace>/<sha256>`. S3 cannot rename and the digest is known
 * last, so a file waits on the local disk. Large files are sent in parts during staging.
 */
export function createS3BlobStore(options: S3BlobStoreOptions): BlobStore {
  const { location, credentials, directory, partBytes = usualPartBytes } = options;
  const limits = { ...defaultS3Limits, ...options.limits };
  const bucket = new S3Bucket(new S3Connection(location, credentials, limits));
  const fewAttempts = { ...limits, attempts: checkAttempts };
  const checked = new S3Bucket(new S3Connection(location, credentials, fewAttempts));
  const staging = new StagingFolder(directory);
  let lentFiles = 0;

  const keyOf = (address: BlobAddress): string => keyIn(location, address);
  const remove = async (address: BlobAddress): Promise<boolean> =>
    removeObject(bucket, keyOf(address));

  return {
    async stage(workspaceId, content, stageOptions): Promise<StagedBlob> {
      const digests = new PartDigests(partBytesFor(stageOptions.limitBytes, partBytes));
      const file = await staging.take(workspaceId, digests.watch(content), stageOptions);
      return S3StagedBlob.of(bucket, keyOf(file.address), file, digests, stageOptions.signal);
    },

    async open(address) {
      const key = keyOf(address);
      const size = await sizeOf(bucket, key);
      return size === undefined ? undefined : new S3Content({ bucket, key }, 0, size);
    },

    async withFile(address, work) {
      const key = keyOf(address);
      if (lentFiles >= lentFilesLimit) {
        throw new OverloadedError(`Cannot lend a file: ${lentFiles} are lent already`);
      }
      lentFiles += 1;
      try {
        return await lend({ bucket, staging, key, address }, work);
      } finally {
        lentFiles -= 1;
      }
    },

    async stat(address) {
      const size = await sizeOf(bucket, keyOf(address));
      return size === undefined ? undefined : { size };
    },

    remove,

    earlier: (address) => earlierContents(bucket, keyOf(address)),
    list: (workspaceId) => listedBlobs(bucket, location, workspaceId),

    // A bucket has no folders.
    removeFolder: async () => {},

    async sweep(isOwned) {
      const abortParts = (address: BlobAddress, uploadId: string): Promise<void> =>
        bucket.abortParts(keyOf(address), uploadId);
      return sweepLeftovers(await staging.leftovers(), { isOwned, remove, abortParts });
    },

    /** Lists one key under the prefix, to check address, bucket and credentials. */
    async check() {
      await checked.list(folderOf(location, ""), 1);
    },
  };
}

async function* earlierContents(
  bucket: S3Bucket,
  key: string,
): AsyncGenerator<BlobContent, void, undefined> {
  for await (const { size, versionId } of bucket.versions(key)) {
    yield new S3Content({ bucket, key, versionId }, 0, size);
  }
}

async function* listedBlobs(
  bucket: S3Bucket,
  location: S3Location,
  workspaceId: string,
): AsyncGenerator<BlobAddress & { readonly size: number }, void, undefined> {
  requireWorkspaceId(workspaceId);
  const folder = folderOf(location, workspaceId);
  for await (const { key, size } of bucket.listAll(folder)) {
    const sha256 = key.slice(folder.length);
    if (key.startsWith(folder) && isDigest(sha256)) yield { workspaceId, sha256, size };
  }
}

function keyIn(location: S3Location, address: BlobAddress): string {
  requireAddress(address);
  return folderOf(location, address.workspaceId) + address.sha256;
}

/** Returns false for a missing object, for which stores respond to DELETE in the same way. */
async function removeObject(bucket: S3Bucket, key: string): Promise<boolean> {
  if ((await sizeOf(bucket, key)) === undefined) return false;
  await bucket.remove(key);
  return true;
}

/** Runs `work` with a local copy of an object. */
async function lend<T>(
  from: {
    readonly bucket: S3Bucket;
    readonly staging: StagingFolder;
    readonly key: string;
    readonly address: BlobAddress;
  },
  work: (path: string) => Promise<T>,
): Promise<T> {
  const { bucket, staging, key, address } = from;
  const size = await sizeOf(bucket, key);
  if (size === undefined) throw new BlobMissingError(address);
  return staging.lend(bucket.read(key, 0, size), (path, sha256) => {
    if (sha256 === address.sha256) return work(path);
    const message = `The content ${address.sha256} is damaged in the file store`;
    throw new DamagedFileError(message);
  });
}

/** Bytes of an object, or undefined. HEAD cannot tell a missing bucket, so the list checks it. */
async function sizeOf(bucket: S3Bucket, key: string): Promise<number | undefined> {
  const size = await bucket.size(key);
  if (size === undefined) await bucket.list(key, 1);
  return size;
}

async function sweepLeftovers(
  leftovers: readonly Leftover[],
  store: {
    isOwned(address: BlobAddress): Promise<boolean>;
    remove(address: BlobAddress): Promise<boolean>;
    abortParts(address: BlobAddress, uploadId: string): Promise<void>;
  },
): Promise<SweepResult> {
  let unfinished = 0;
  let unowned = 0;
  let isAway = false;
  for (const { path, address, isNote } of leftovers) {
    const mustClear = address !== undefined && (isNote || !(await store.isOwned(address)));
    if (mustClear && isAway) continue;
    try {
      if (mustClear && isNote) await store.abortParts(address, await Bun.file(path).text());
      else if (mustClear && (await store.remove(address))) unowned += 1;
    } catch (error) {
      if (!(error instanceof StorageError)) throw error;
      // The platform starts anyway, and its next start sweeps the rest.
      isAway = true;
      continue;
    }
    await removeStaged(path);
    if (!isNote) unfinished += 1;
  }
  return { unfinished, unowned };
}

function folderOf({ prefix }: S3Location, workspaceId: string): string {
  return [prefix, workspaceId].map((part) => (part === "" ? "" : `${part}/`)).join("");
}

class S3StagedBlob implements StagedBlob {
  readonly address: BlobAddress;
  readonly size: number;
  readonly #key: string;
  /** The upload whose parts are sent, but not completed. */
  #parts: PartsUpload | undefined;
  #mayBePublished = false;

  private constructor(
    private readonly bucket: S3Bucket,
    key: string,
    private readonly file: StagedFile,
    private readonly digests: PartDigests,
    parts: PartsUpload | undefined,
  ) {
    this.address = file.address;
    this.size = file.size;
    this.#key = key;
    this.#parts = parts;
  }

  /** Sends the parts of a large file that the bucket does not have. */
  static async of(
    bucket: S3Bucket,
    key: string,
    file: StagedFile,
    digests: PartDigests,
    signal: AbortSignal | undefined,
  ): Promise<S3StagedBlob> {
    try {
      const isLarge = file.size > digests.partBytes;
      const parts =
        isLarge && (await bucket.size(key)) !== file.size
          ? await PartsUpload.send(bucket, key, file, digests, signal)
          : undefined;
      return new S3StagedBlob(bucket, key, file, digests, parts);
    } catch (error) {
      await removeStaged(file.path);
      throw error;
    }
  }

  get mayBePublished(): boolean {
    return this.#mayBePublished;
  }

  async publish(): Promise<{ readonly existed: boolean }> {
    const isThere = await this.#isThere();
    // An unavailable store has failed already and has nothing of this upload.
    this.#mayBePublished = true;
    if (isThere) return { existed: true };
    const { path, size, address } = this.file;
    if (size <= this.digests.partBytes) {
      await this.bucket.put(this.#key, fileBody(path, 0, size, address.sha256));
      return { existed: false };
    }
    const isDone = await this.#complete();
    if (!isDone && !(await this.#isThere())) {
      this.#parts = await PartsUpload.send(this.bucket, this.#key, this.file, this.digests);
      if (!(await this.#complete()) && !(await this.#isThere())) {
        const message = "Could not store a file: the file store forgot its parts";
        throw new FileStoreError(message, "fails");
      }
    }
    return { existed: false };
  }

  async discard(): Promise<void> {
    await this.#parts?.abort();
    this.#parts = undefined;
    await removeStaged(this.file.path);
  }

  /** Checks the digest, because an accepted upload must not depend on a damaged object. */
  async #isThere(): Promise<boolean> {
    if ((await this.bucket.size(this.#key)) !== this.size) return false;
    try {
      const sha256 = await digestOf(this.bucket.read(this.#key, 0, this.size));
      return sha256 === this.address.sha256;
    } catch (error) {
      // The object was removed between the two requests.
      if (isMissing(error)) return false;
      throw error;
    }
  }

  async #complete(): Promise<boolean> {
    const parts = this.#parts;
    if (parts === undefined) return false;
    const isDone = await parts.complete();
    // After a failure, the next attempt may still complete the upload.
    this.#parts = undefined;
    return isDone;
  }
}

/** An object, or one of its versions. */
interface S3Object {
  readonly bucket: S3Bucket;
  readonly key: string;
  readonly versionId?: string;
}

/** Bytes of an object, or a range of them, requested as the consumer reads. */
class S3Content implements BlobContent {
  readonly size: number;

  constructor(
    private readonly object: S3Object,
    private readonly start: number,
    end: number,
  ) {
    this.size = end - start;
  }

  slice(start: number, end: number): BlobContent {
    if (!(start >= 0 && start <= end && end <= this.size)) {
      throw new RangeError(`Cannot slice ${start} to ${end} of ${this.size} bytes`);
    }
    return new S3Content(this.object, this.start + start, this.start + end);
  }

  stream(): ReadableStream<Uint8Array> {
    const { bucket, key, versionId } = this.object;
    return streamOf(bucket.read(key, this.start, this.start + this.size, versionId));
  }
}
