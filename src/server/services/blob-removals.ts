import type { BlobStore } from "../engines/blobs/blob-store.ts";
import type { Lifetime } from "../platform/lifetime.ts";
import type { Logger } from "../platform/options.ts";
import { isFileOwned } from "../stores/blob-references.ts";
import {
  claimRemoval,
  dueRemovals,
  endRemoval,
  releaseClaims,
  requestRemovals,
  type BlobKey,
} from "../stores/blob-removals.ts";
import type { Database } from "../stores/database.ts";

/** Removals that are looked up at a time. */
const pageRows = 100;
/** Beyond every time limit of a file store: after it nobody can still be removing. */
const claimMs = 2 * 60_000;
const lookIntervalMs = 30_000;

export interface BlobRemovalsOptions {
  /** Not the one for keyed requests: what is removed here is no part of any request's effect. */
  readonly database: Database;
  readonly blobs: BlobStore;
  readonly now: () => Date;
  readonly logger: Logger;
  readonly lifetime: Lifetime;
}

/**
 * Takes bytes out of the file store once no row names them. Whoever gives bytes up notes it in the
 * unit in which it does so; here each note is claimed in a unit that looks for other owners, so
 * that an upload of the same bytes either is seen, or sees the claim and waits. What fails, or is
 * cut off by a crash, is tried again when its claim has run out, or at the next start.
 */
export class BlobRemovals {
  readonly #options: BlobRemovalsOptions;
  #running: Promise<void> | undefined;
  #isWanted = false;
  #isStopped = false;

  constructor(options: BlobRemovalsOptions) {
    this.#options = options;
  }

  /** Goes on with what a crash left, and looks now and then for what is due. */
  async recover(): Promise<void> {
    const { database, lifetime } = this.#options;
    // On PostgreSQL another process may be at work: its claims run out by themselves.
    if (database.dialect === "sqlite") await database.write(releaseClaims);
    this.wake();
    const timer = setInterval(() => this.wake(), lookIntervalMs);
    timer.unref();
    lifetime.onClose(async () => {
      clearInterval(timer);
      this.#isStopped = true;
      await this.#running;
    });
  }

  /** Looks for what is due, in the background. */
  wake(): void {
    this.#isWanted = true;
    this.#running ??= this.#run();
  }

  /** Resolves when nothing is being removed. */
  async settled(): Promise<void> {
    while (this.#running !== undefined) await this.#running;
  }

  /** Takes these bytes back unless a row names them; throws where the store fails. */
  async withdraw(key: BlobKey, size: number): Promise<void> {
    await this.#options.database.write((writer) =>
      requestRemovals(writer, key.workspaceId, [{ sha256: key.sha256, size }]),
    );
    await this.#remove(key);
  }

  async #run(): Promise<void> {
    const { database, now, logger } = this.#options;
    try {
      while (this.#isWanted && !this.#isStopped) {
        this.#isWanted = false;
        for (const due of await dueRemovals(database.read, now().toISOString(), pageRows)) {
          if (this.#isStopped) return;
          await this.#remove(due);
          this.#isWanted = true;
        }
      }
    } catch (error) {
      // It keeps its claim until that has run out, and is tried again then.
      logger.error({ event: "file-removal-failed", error: String(error) });
    } finally {
      this.#running = undefined;
    }
  }

  async #remove(key: BlobKey): Promise<void> {
    const { database, now } = this.#options;
    const isClaimed = await database.write(async (writer) => {
      const at = now();
      const until = new Date(at.getTime() + claimMs).toISOString();
      if (!(await claimRemoval(writer, key, { now: at.toISOString(), until }))) return false;
      if (!(await isFileOwned(writer, key))) return true;
      await endRemoval(writer, key);
      return false;
    });
    if (!isClaimed) return;
    await this.#options.blobs.remove(key);
    await database.write((writer) => endRemoval(writer, key));
  }
}
