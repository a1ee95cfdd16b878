import { open, unlink } from "node:fs/promises";
import { TimeLimit } from "#lib/time/time-limit.ts";
import { storageFault } from "../file-writer.ts";
import type { StagedFile } from "../staging.ts";
import type { S3Bucket, StoredPart } from "./bucket.ts";
import type { S3Body } from "./s3-connection.ts";

const partsAtATime = 3;
export const usualPartBytes = 16 * 1024 * 1024;
/** The most parts that S3 accepts. */
const partsLimit = 10_000;

/** Bytes of each part, so that a file of up to `limitBytes` fits. */
export function partBytesFor(limitBytes: number, usual: number): number {
  return Math.max(usual, Math.ceil(limitBytes / partsLimit));
}

/** Computes the digests of a file's parts from its stream. */
export class PartDigests {
  readonly #digests: string[] = [];
  #hasher = new Bun.CryptoHasher("sha256");
  #filled = 0;

  constructor(readonly partBytes: number) {}

  async *watch(content: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void, void> {
    for await (const chunk of content) {
      for (let offset = 0; offset < chunk.byteLength;) {
        const count = Math.min(this.partBytes - this.#filled, chunk.byteLength - offset);
        this.#hasher.update(chunk.subarray(offset, offset + count));
        this.#filled += count;
        offset += count;
        if (this.#filled === this.partBytes) this.#next();
      }
      yield chunk;
    }
    if (this.#filled > 0) this.#next();
  }

  get digests(): readonly string[] {
    return this.#digests;
  }

  #next(): void {
    this.#digests.push(this.#hasher.digest("hex"));
    this.#hasher = new Bun.CryptoHasher("sha256");
    this.#filled = 0;
  }
}

const chunkBytes = 256 * 1024;

/** Bytes of a local file, read when they are sent. */
export function fileBody(path: string, start: number, end: number, sha256: string): S3Body {
  return { size: end - start, sha256, open: () => chunksOf(path, start, end) };
}

/** A chunk is valid until two further ones are read, so that two buffers serve any length. */
async function* chunksOf(
  path: string,
  start: number,
  end: number,
): AsyncGenerator<Uint8Array, void, void> {
  const file = await open(path, "r");
  try {
    let filling = Buffer.allocUnsafe(Math.min(chunkBytes, end - start));
    let sending = Buffer.allocUnsafe(filling.byteLength);
    for (let position = start; position < end;) {
      const count = Math.min(filling.byteLength, end - position);
      const { bytesRead } = await file.read(filling, 0, count, position);
      if (bytesRead === 0) return;
      position += bytesRead;
      yield filling.subarray(0, bytesRead);
      [filling, sending] = [sending, filling];
    }
  } catch (error) {
    throw storageFault(error, "read a file");
  } finally {
    await file.close();
  }
}

/**
 * A multipart upload of a staged file. Its ID is in the file's note, so that the sweep after a
 * crash can abort it; stores keep and charge parts that are not completed.
 */
export class PartsUpload {
  private constructor(
    private readonly bucket: S3Bucket,
    private readonly at: Record<"key" | "uploadId" | "notePath", string>,
    private readonly parts: readonly StoredPart[],
  ) {}

  /** Sends all parts. Nothing stays after a failure or an aborted signal. */
  static async send(
    bucket: S3Bucket,
    key: string,
    file: StagedFile,
    digests: PartDigests,
    signal?: AbortSignal,
  ): Promise<PartsUpload> {
    const uploadId = await bucket.beginParts(key, signal);
    const at = { key, uploadId, notePath: file.notePath };
    try {
      await writeNote(file.notePath, uploadId);
      const parts = await sendParts(bucket, at, file, digests, signal);
      return new PartsUpload(bucket, at, parts);
    } catch (error) {
      await new PartsUpload(bucket, at, []).abort();
      throw error;
    }
  }

  /** False if the store no longer knows the upload, which must then be sent again. */
  async complete(): Promise<boolean> {
    const isKnown = await this.bucket.completeParts(this.at.key, this.at.uploadId, this.parts);
    await this.#forget();
    return isKnown;
  }

  /** It never throws: without a response, the note stays for the next sweep. */
  async abort(): Promise<void> {
    try {
      await this.bucket.abortParts(this.at.key, this.at.uploadId);
      await this.#forget();
    } catch {
      // The next sweep reads the note.
    }
  }

  async #forget(): Promise<void> {
    await unlink(this.at.notePath).catch(() => {});
  }
}

async function sendParts(
  bucket: S3Bucket,
  { key, uploadId }: { readonly key: string; readonly uploadId: string },
  { path, size }: StagedFile,
  { digests, partBytes }: PartDigests,
  signal: AbortSignal | undefined,
): Promise<StoredPart[]> {
  const stop = new TimeLimit(Infinity, signal);
  const parts: StoredPart[] = [];
  const failures: unknown[] = [];
  const waiting = digests.entries();
  const work = async (): Promise<void> => {
    try {
      for (const [index, sha256] of waiting) {
        const start = index * partBytes;
        const body = fileBody(path, start, Math.min(start + partBytes, size), sha256);
        const at = { key, uploadId, number: index + 1 };
        parts[index] = await bucket.putPart(at, body, stop.signal);
      }
    } catch (error) {
      // An expired limit stops the other senders.
      failures.push(error);
      stop.expire();
    }
  };
  await Promise.all(Array.from({ length: partsAtATime }, work));
  stop.close();
  signal?.throwIfAborted();
  if (failures.length > 0) throw failures[0];
  return parts;
}

async function writeNote(path: string, uploadId: string): Promise<void> {
  try {
    await Bun.write(path, uploadId);
  } catch (error) {
    throw storageFault(error, "write a file");
  }
}
