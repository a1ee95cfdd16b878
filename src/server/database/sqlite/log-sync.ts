import { fstatSync } from "node:fs";
import { open, type FileHandle } from "node:fs/promises";
import { DetachedFileError, diskFailure } from "../../kit/storage-errors.ts";
import { keptPromise } from "../../kit/background.ts";

/**
 * Syncs the write-ahead log without blocking the event loop, as a commit with `synchronous = full`
 * would. The log is one file as long as a connection is open, and SQLite locks nothing in it.
 */
export class LogSync {
  #file: Promise<FileHandle> | undefined;

  constructor(private readonly path: string) {}

  /**
   * Resolves when everything written so far is durable. A failure is final: the system forgets data
   * that it could not write, so that a retry would succeed without it.
   */
  async sync(): Promise<void> {
    try {
      this.#file ??= keptPromise(open(this.path, "r+"));
      const file = await this.#file;
      await file.datasync();
      // A next start would not find a log without a name. This look takes less than a promise.
      if (fstatSync(file.fd).nlink === 0) throw new DetachedFileError(this.path);
    } catch (cause) {
      throw cause instanceof DetachedFileError ? cause : diskFailure(cause);
    }
  }

  async close(): Promise<void> {
    const file = await this.#file?.catch(() => undefined);
    await file?.close();
  }
}
