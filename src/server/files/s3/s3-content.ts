import { streamOf } from "#lib/stream.ts";
import type { BlobContent } from "../blob-store.ts";
import type { S3Bucket } from "./bucket.ts";

/** Bytes of an object, or a range of them, requested as the consumer reads. */
export class S3Content implements BlobContent {
  readonly size: number;
  readonly #bucket: S3Bucket;
  readonly #key: string;
  readonly #start: number;

  constructor(bucket: S3Bucket, key: string, start: number, end: number) {
    this.#bucket = bucket;
    this.#key = key;
    this.#start = start;
    this.size = end - start;
  }

  slice(start: number, end: number): BlobContent {
    if (!(start >= 0 && start <= end && end <= this.size)) {
      throw new RangeError(`Cannot slice ${start} to ${end} of ${this.size} bytes`);
    }
    return new S3Content(this.#bucket, this.#key, this.#start + start, this.#start + end);
  }

  stream(): ReadableStream<Uint8Array> {
    return streamOf(this.#bucket.read(this.#key, this.#start, this.#start + this.size));
  }
}
