import { uuidPattern } from "#lib/uuid.ts";

/**
 * The port for file contents, stored by workspace and SHA-256 digest: on disk or in an S3 store.
 * {@link BlobStore.stage} makes bytes durable, {@link StagedBlob.publish} makes them readable.
 */
export interface BlobStore {
  /**
   * Streams `content` to durable storage in constant memory. Throws a `Refusal` (content-too-large)
   * above `limitBytes`, `StorageFullError`, `StorageError`, or the signal's reason; nothing stays.
   */
  stage(
    workspaceId: string,
    content: AsyncIterable<Uint8Array>,
    options: StageOptions,
  ): Promise<StagedBlob>;
  /** The content, read lazily; `undefined` if it does not exist. Slice it for a range. */
  open(address: BlobAddress): Promise<BlobContent | undefined>;
  /** Runs `work` with a local file's path, valid while it runs. Throws `BlobMissingError`. */
  withFile<Result>(address: BlobAddress, work: (path: string) => Promise<Result>): Promise<Result>;
  stat(address: BlobAddress): Promise<{ readonly size: number } | undefined>;
  /** Returns false if the blob does not exist. */
  remove(address: BlobAddress): Promise<boolean>;
  /**
   * Contents that the store has kept of a removed or replaced blob, newest first; their digests are
   * not compared. A store without versions of files has no such method.
   */
  earlier?(address: BlobAddress): AsyncIterable<BlobContent>;
  /** Every published blob of a workspace, in no order. */
  list(workspaceId: string): AsyncIterable<BlobAddress & { readonly size: number }>;
  /** Removes the folder of a workspace that has no blobs left. */
  removeFolder(workspaceId: string): Promise<void>;
  /** Removes half-written and unowned files after a crash. Run it before the first upload. */
  sweep(isOwned: (address: BlobAddress) => Promise<boolean>): Promise<SweepResult>;
  /** Makes one small request; fails with `StorageError` if the store can't be used. */
  check(): Promise<void>;
}

/** Where a blob is: the workspace's UUID, and the SHA-256 of the bytes as 64 hexadecimal digits. */
export interface BlobAddress {
  readonly workspaceId: string;
  readonly sha256: string;
}

/** Paths and keys consist of digests and UUIDs only: throws `TypeError` for anything else. */
export function requireAddress({ workspaceId, sha256 }: BlobAddress): void {
  requireWorkspaceId(workspaceId);
  if (!isDigest(sha256)) throw new TypeError("Cannot address a blob: expected a SHA-256 digest");
}

export function requireWorkspaceId(workspaceId: string): void {
  if (!uuidPattern.test(workspaceId)) {
    throw new TypeError("Cannot address a blob: expected a workspace's UUID");
  }
}

export function isDigest(text: string): boolean {
  return /^[0-9a-f]{64}$/.test(text);
}

/** Stored bytes, read on demand. A `Blob` is one. */
export interface BlobContent {
  readonly size: number;
  /** The bytes from `start` to before `end`, where 0 <= start <= end <= size. */
  slice(start: number, end: number): BlobContent;
  /** Fails with `StorageError` if the store stops responding. */
  stream(): ReadableStream<Uint8Array>;
}

export interface StageOptions {
  readonly limitBytes: number;
  readonly signal?: AbortSignal;
}

/** Bytes that are durable but not yet readable. Always `discard` it, also after `publish`. */
export interface StagedBlob {
  readonly address: BlobAddress;
  readonly size: number;
  /** True if a `publish` may have taken effect, even one that failed. */
  readonly mayBePublished: boolean;
  /** Makes the blob readable, durably. May be called again after a removal. */
  publish(): Promise<{ readonly existed: boolean }>;
  /** Removes the staged copy; a published blob stays. Never throws. */
  discard(): Promise<void>;
}

export interface SweepResult {
  readonly unfinished: number;
  readonly unowned: number;
}

/** The content that a row references is not in the store. */
export class BlobMissingError extends Error {
  override readonly name = "BlobMissingError";
  constructor(readonly address: BlobAddress) {
    super(`The content ${address.sha256} is missing from the file store`);
  }
}
