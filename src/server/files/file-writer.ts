import { open, unlink } from "node:fs/promises";
import type { FileHandle } from "node:fs/promises";
import { FileStoreError, StorageError, StorageFullError } from "../kit/storage-errors.ts";

const bufferBytes = 512 * 1024;
/** Bytes between two flushes: the last one then has little left to wait for. */
const flushEveryBytes = 64 * 1024 * 1024;

/**
 * Writes a new file by a buffer that fills while the one before it is on its way to the disk:
 * two buffers of memory, whatever the file's size. Nothing counts before {@link finish}.
 */
export class FileWriter {
  readonly path: string;
  readonly #handle: FileHandle;
  #filling = Buffer.allocUnsafe(bufferBytes);
  #spare = Buffer.allocUnsafe(bufferBytes);
  #filled = 0;
  #writing: Promise<void> = Promise.resolve();
  #flushing: Promise<void> | undefined;
  #written = 0;
  #flushed = 0;

  private constructor(path: string, handle: FileHandle) {
    this.path = path;
    this.#handle = handle;
  }

  /** The file must not exist yet; it is readable by its owner only. */
  static async create(path: string): Promise<FileWriter> {
    try {
      return new FileWriter(path, await open(path, "wx", 0o600));
    } catch (error) {
      throw storageFault(error, "create a file");
    }
  }

  /** Copies the chunk; resolves when the next one may come. */
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

  /** Resolves when every byte is on the disk; without `isDurable`, when every reader sees it. */
  async finish({ isDurable = true } = {}): Promise<void> {
    try {
      if (this.#filled > 0) await this.#swap();
      await this.#writing;
      await this.#flushing;
      if (isDurable) await this.#handle.sync();
      await this.#handle.close();
    } catch (error) {
      throw storageFault(error, "write a file");
    }
  }

  /** Gives the file up and removes it. Never throws: what is left is swept at the next start. */
  async abandon(): Promise<void> {
    await this.#writing.catch(() => {});
    await this.#flushing?.catch(() => {});
    await this.#handle.close().catch(() => {});
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
    this.#writing = this.#drain(full);
    // Its failure is thrown by the next swap or by `finish`; until then nobody listens.
    this.#writing.catch(() => {});
    this.#flushInBackground();
  }

  /** A disk that is nearly full takes a part and says so without failing: write the rest. */
  async #drain(bytes: Uint8Array): Promise<void> {
    let offset = 0;
    while (offset < bytes.byteLength) {
      const { bytesWritten } = await this.#handle.write(bytes, offset, bytes.byteLength - offset);
      if (bytesWritten === 0) throw new StorageFullError("The disk takes no more bytes");
      offset += bytesWritten;
    }
    this.#written += bytes.byteLength;
  }

  #flushInBackground(): void {
    if (this.#flushing !== undefined || this.#written - this.#flushed < flushEveryBytes) return;
    const upTo = this.#written;
    this.#flushing = this.#handle.datasync().then(() => {
      this.#flushed = upTo;
      this.#flushing = undefined;
    });
    // A failed flush stays in `#flushing` and fails `finish`.
    this.#flushing.catch(() => {});
  }
}

/** A file-system failure as the platform's own: no room is 507, anything else 503. */
export function storageFault(error: unknown, action: string): Error {
  if (error instanceof StorageError) return error;
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  if (code === "ENOSPC" || code === "EDQUOT" || code === "EFBIG") {
    return new StorageFullError(`Could not ${action}: there is no space left`, { cause: error });
  }
  const named = code === "" ? "" : ` (${code})`;
  return new FileStoreError(`Could not ${action}${named}`, "can't be used", { cause: error });
}
