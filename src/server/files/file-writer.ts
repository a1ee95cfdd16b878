import { open, unlink, type FileHandle } from "node:fs/promises";
import { FileStoreError, StorageError, StorageFullError } from "../kit/storage-errors.ts";
import { keptPromise } from "../kit/background.ts";

const bufferBytes = 512 * 1024;
/** Bytes between two flushes in the background, which shorten the wait in `finish`. */
const flushEveryBytes = 64 * 1024 * 1024;

/** Writes a new file with two buffers: one fills while the other is written. */
export class FileWriter {
  #filling = Buffer.allocUnsafe(bufferBytes);
  #spare = Buffer.allocUnsafe(bufferBytes);
  #filled = 0;
  #writing: Promise<void> = Promise.resolve();
  #flushing: Promise<void> | undefined;
  #written = 0;
  #flushed = 0;

  private constructor(
    readonly path: string,
    private readonly handle: FileHandle,
  ) {}

  /** The file must not exist yet; only its owner can read it. */
  static async create(path: string): Promise<FileWriter> {
    try {
      return new FileWriter(path, await open(path, "wx", 0o600));
    } catch (error) {
      throw storageFault(error, "create a file");
    }
  }

  /** Copies the chunk; resolves when the writer accepts the next one. */
  async write(chunk: Uint8Array): Promise<void> {
    let offset = 0;
    while (offset < chunk.byteLength) {
      const count = Math.min(bufferBytes - this.#filled, chunk.byteLength - offset);
      this.#filling.set(chunk.subarray(offset, offset + count), this.#filled);
      this.#filled += count;
      offset += count;
      if (this.#filled === bufferBytes) await this.#swap();
    }
  }

  /** Resolves when all bytes are on the disk; without `isDurable`, when readers see them. */
  async finish({ isDurable = true } = {}): Promise<void> {
    try {
      if (this.#filled > 0) await this.#swap();
      await this.#writing;
      await this.#flushing;
      if (isDurable) await this.handle.sync();
      await this.handle.close();
    } catch (error) {
      throw storageFault(error, "write a file");
    }
  }

  /** Removes the file. Never throws: the next start sweeps leftovers. */
  async abandon(): Promise<void> {
    await this.#writing.catch(() => {});
    await this.#flushing?.catch(() => {});
    await this.handle.close().catch(() => {});
    await unlink(this.path).catch(() => {});
  }

  async #swap(): Promise<void> {
    const full = this.#filling.subarray(0, this.#filled);
    [this.#filling, this.#spare] = [this.#spare, this.#filling];
    this.#filled = 0;
    try {
      await this.#writing;
    } catch (error) {
      throw storageFault(error, "write a file");
    }
    // The next swap or `finish` throws its failure.
    this.#writing = keptPromise(this.#drain(full));
    this.#flushInBackground();
  }

  /** A nearly full disk writes only a part without an error, so the rest is written again. */
  async #drain(bytes: Uint8Array): Promise<void> {
    let offset = 0;
    while (offset < bytes.byteLength) {
      const { bytesWritten } = await this.handle.write(bytes, offset, bytes.byteLength - offset);
      if (bytesWritten === 0)
        throw new StorageFullError("Could not write a file: the disk is full");
      offset += bytesWritten;
    }
    this.#written += bytes.byteLength;
  }

  #flushInBackground(): void {
    if (this.#flushing !== undefined || this.#written - this.#flushed < flushEveryBytes) return;
    const upTo = this.#written;
    // A failed flush stays in `#flushing` and fails `finish`.
    this.#flushing = keptPromise(
      this.handle.datasync().then(() => {
        this.#flushed = upTo;
        this.#flushing = undefined;
      }),
    );
  }
}

/** Turns a file-system error into a `StorageFullError` (507) or `FileStoreError` (503). */
export function storageFault(error: unknown, action: string): Error {
  if (error instanceof StorageError) return error;
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  if (code === "ENOSPC" || code === "EDQUOT" || code === "EFBIG") {
    return new StorageFullError(`Could not ${action}: there is no space left`, { cause: error });
  }
  const named = code === "" ? "" : ` (${code})`;
  return new FileStoreError(`Could not ${action}${named}`, "can't be used", { cause: error });
}
