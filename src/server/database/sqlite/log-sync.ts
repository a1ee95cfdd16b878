import { open, type FileHandle } from "node:fs/promises";
import { diskFailure } from "../errors.ts";

/**
 * Brings what is in the write-ahead log to the disk without holding up the event loop: a commit
 * with `synchronous = full` would wait for the disk inside SQLite, and everybody with it. The log
 * is one file for as long as a connection is open, and SQLite locks nothing in it.
 */
export class LogSync {
  readonly #path: string;
  #file: Promise<FileHandle> | undefined;

  constructor(path: string) {
    this.#path = path;
  }

  /**
   * Resolves when all that has been written is durable. A failure is for good: the system forgets
   * what it could not write, and a second try would succeed without it.
   */
  async sync(): Promise<void> {
    try {
      this.#file ??= open(this.#path, "r+");
      await (await this.#file).datasync();
    } catch (cause) {
      throw diskFailure(cause);
    }
  }

  async close(): Promise<void> {
    const file = await this.#file?.catch(() => undefined);
    await file?.close();
  }
}
