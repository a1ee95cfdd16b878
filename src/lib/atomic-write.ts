import { constants, type FileHandle, mkdir, open, rename, unlink } from "node:fs/promises";
import { dirname, join } from "node:path";

/**
 * Files that are whole or absent. The bytes go to a new file beside the target (`O_EXCL`, its own
 * mode), are pushed to the disk, and take the target's name in one step. A symbolic link at the
 * target is replaced, never followed.
 */

export interface AtomicWriteOptions {
  /** Permission bits of the new file (default 0600). */
  readonly mode?: number;
}

/** A file being written; end it with `commit` or `discard`. */
export class AtomicFile {
  readonly #target: string;
  readonly #temporary: string;
  readonly #handle: FileHandle;
  #open = true;

  private constructor(target: string, temporary: string, handle: FileHandle) {
    this.#target = target;
    this.#temporary = temporary;
    this.#handle = handle;
  }

  /** Throws the system's error, e.g. `EACCES` or `ENOENT`, and leaves nothing behind. */
  static async create(target: string, options: AtomicWriteOptions = {}): Promise<AtomicFile> {
    const temporary = join(dirname(target), `.svc-${crypto.randomUUID()}.tmp`);
    const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL;
    const handle = await open(temporary, flags, options.mode ?? 0o600);
    return new AtomicFile(target, temporary, handle);
  }

  /** Writes all of it: a full disk makes the system write a part without an error. */
  async write(bytes: Uint8Array): Promise<void> {
    let offset = 0;
    while (offset < bytes.byteLength) {
      const { bytesWritten } = await this.#handle.write(bytes, offset, bytes.byteLength - offset);
      if (bytesWritten === 0) throw new ShortWriteError();
      offset += bytesWritten;
    }
  }

  /** Makes the file appear under its name; after it returns the name survives a power cut. */
  async commit(): Promise<void> {
    try {
      await this.#handle.sync();
      await this.#close();
      await rename(this.#temporary, this.#target);
    } catch (error) {
      await this.discard();
      throw error;
    }
    await syncFolder(dirname(this.#target));
  }

  /** Removes what was written; does nothing after `commit`. */
  async discard(): Promise<void> {
    try {
      await this.#close();
    } catch {
      // The file is about to go: that its last bytes were refused changes nothing.
    }
    await unlink(this.#temporary).catch(() => undefined);
  }

  async #close(): Promise<void> {
    if (!this.#open) return;
    this.#open = false;
    await this.#handle.close();
  }
}

/** The system took no more bytes and gave no reason. */
class ShortWriteError extends Error {
  override readonly name = "ShortWriteError";
  readonly code = "ENOSPC";
  constructor() {
    super("The system took no more bytes");
  }
}

/** Replaces a small file in one step. */
export async function writeFileAtomically(
  target: string,
  content: string | Uint8Array,
  options: AtomicWriteOptions = {},
): Promise<void> {
  await saveAtomically(
    target,
    [typeof content === "string" ? new TextEncoder().encode(content) : content],
    options,
  );
}

/** Streams into a file that appears only when the last chunk has come; gives the bytes written. */
export async function saveAtomically(
  target: string,
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  options: AtomicWriteOptions = {},
): Promise<number> {
  const file = await AtomicFile.create(target, options);
  let size = 0;
  try {
    for await (const chunk of chunks) {
      await file.write(chunk);
      size += chunk.byteLength;
    }
  } catch (error) {
    await file.discard();
    throw error;
  }
  await file.commit();
  return size;
}

/** A folder that only its owner may enter, with its parents. */
export async function makePrivateFolder(path: string): Promise<void> {
  await mkdir(path, { recursive: true, mode: 0o700 });
}

/** A renamed file is durable when its folder is; where folders can't be synced, the rename must do. */
async function syncFolder(path: string): Promise<void> {
  let handle: FileHandle;
  try {
    handle = await open(path, constants.O_RDONLY);
  } catch {
    return;
  }
  try {
    await handle.sync();
  } catch {
    // Some file systems do not sync folders.
  } finally {
    await handle.close();
  }
}
