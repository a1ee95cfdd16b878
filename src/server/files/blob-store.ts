/**
 * The port for file contents. A store keeps bytes under their SHA-256 digest, apart for each
 * workspace, so that what one workspace removes is never another's. Engines: a folder (`disk.ts`)
 * and an S3-compatible store (`s3/store.ts`).
 *
 * Storing has two steps. {@link BlobStore.stage} takes the bytes in and makes them durable where
 * nobody sees them; {@link StagedBlob.publish} makes them readable. Between a refusal and an
 * accepted upload there is so never a half-written or unowned file.
 */
export interface BlobStore {
  /**
   * Streams `content` to durable storage at flat memory, counting and digesting on the way.
   * Throws a `Refusal` (content-too-large) above `limitBytes`, `StorageFullError` when there is no
   * room, `StorageError` for other faults, and the signal's reason when aborted; nothing stays.
   */
  stage(
    workspaceId: string,
    content: AsyncIterable<Uint8Array>,
    options: StageOptions,
  ): Promise<StagedBlob>;
  /** The content, read lazily; `undefined` when it is not there. Slice it for a range. */
  open(address: BlobAddress): Promise<BlobContent | undefined>;
  /**
   * Runs `work` with the path of a local file that holds the content, for a child process to read.
   * The path is only good until `work` settles. Throws `BlobMissingError`.
   */
  withFile<Result>(address: BlobAddress, work: (path: string) => Promise<Result>): Promise<Result>;
  stat(address: BlobAddress): Promise<{ readonly size: number } | undefined>;
  /** Whether there was something to remove. */
  remove(address: BlobAddress): Promise<boolean>;
  /** Every published blob of a workspace, in no order. */
  list(workspaceId: string): AsyncIterable<BlobAddress & { readonly size: number }>;
  /**
   * Clears what a crash left behind: half-written files, and published blobs whose upload was not
   * accepted, as `isOwned` says. Run it before the first upload is taken.
   */
  sweep(isOwned: (address: BlobAddress) => Promise<boolean>): Promise<SweepResult>;
  /** Asks the store for something small; fails with `StorageError` where it can't be used now. */
  check(): Promise<void>;
}

/** Where a blob is: the workspace's UUID, and the SHA-256 of the bytes as 64 hexadecimal digits. */
export interface BlobAddress {
  readonly workspaceId: string;
  readonly sha256: string;
}

/** Stored bytes, of which only what is asked for is read. A `Blob` is one. */
export interface BlobContent {
  readonly size: number;
  /** From `start` to before `end`, where 0 <= start <= end <= size. */
  slice(start: number, end: number): BlobContent;
  /** Fails with `StorageError` where the store stops answering on the way. */
  stream(): ReadableStream<Uint8Array>;
}

export interface StageOptions {
  readonly limitBytes: number;
  readonly signal?: AbortSignal;
}

/** Bytes that are durable but not yet readable. Always `discard` it in the end, also once published. */
export interface StagedBlob {
  readonly address: BlobAddress;
  readonly size: number;
  /**
   * Whether a `publish` may have had its effect, also one that failed on the way. While it is
   * false there is nothing to take back.
   */
  readonly mayBePublished: boolean;
  /** Makes the blob readable, durably. May be called again after a removal took it away. */
  publish(): Promise<{ readonly existed: boolean }>;
  /** Forgets the staging; a published blob stays. Never throws. */
  discard(): Promise<void>;
}

export interface SweepResult {
  readonly unfinished: number;
  readonly unowned: number;
}

/** The content that a row names is not in the store. */
export class BlobMissingError extends Error {
  override readonly name = "BlobMissingError";
  constructor(readonly address: BlobAddress) {
    super(`The content ${address.sha256} is missing from the file store`);
  }
}
