import { hostname } from "node:os";
import { resolve } from "node:path";
import { KeyedLock } from "../kit/turns/keyed-lock.ts";
import { within } from "#lib/time/within.ts";
import type { BlobStore, StagedBlob } from "./blob-store.ts";
import type { Reader } from "../database/database.ts";
import type { Lifetime } from "../kit/lifetime.ts";
import type { Logger } from "../kit/logger.ts";
import { isFileOwned } from "./reference-store.ts";
import {
  claimRemoval,
  dropRemoval,
  dueRemovals,
  endRemoval,
  forgetRemovals,
  isRemovalOpen,
  releaseClaims,
  requestRemovals,
  type BlobKey,
} from "./removal-store.ts";
import { StorageError } from "../kit/storage-errors.ts";
import type { Work } from "../work/work.ts";
import type { PlatformWork } from "../work/works.ts";
import { keptPromise } from "../kit/background.ts";

const pageRows = 100;
const forgottenRows = 1_000;
/** A file store times out earlier, so that an expired claim has no running removal. */
const claimMs = 2 * 60_000;
/** An upload takes less time between its two reads of a removal. */
const rememberedMs = 60 * 60_000;
const lookIntervalMs = 30_000;
const closingMs = 2_000;
/** Further files wait for the next start. */
const undecidedLimit = 10_000;

export interface BlobRemovalsOptions {
  readonly platformWork: PlatformWork;
  readonly blobs: BlobStore;
  readonly now: () => Date;
  readonly logger: Logger;
  readonly lifetime: Lifetime;
  /** Only one running platform uses it, so it identifies the owner of claims. */
  readonly dataDirectory: string;
  /** True after a restore: no file is removed until the doctor has compared the file store. */
  readonly areHeld?: ((reader: Reader) => Promise<boolean>) | undefined;
}

/**
 * Removes bytes that no row references. An upload of the same bytes either adds its reference
 * before the claim, or sees the claim or the finished removal and publishes its bytes again.
 */
export class BlobRemovals {
  /** A removal is not part of a request's effect. */
  readonly #work: Work;
  readonly #lock = new KeyedLock();
  readonly #owner: string;
  /** Published for rows that could not be written, and not removed yet. */
  readonly #undecided = new Set<StagedBlob>();
  #running: Promise<void> | undefined;
  #isWanted = false;
  #isStopped = false;

  constructor(private readonly options: BlobRemovalsOptions) {
    this.#work = options.platformWork("files that no row references, in all workspaces");
    this.#owner = `${hostname()}:${resolve(options.dataDirectory)}`;
  }

  /** Continues after a crash, and starts the timers. */
  async recover(): Promise<void> {
    const { lifetime } = this.options;
    // On PostgreSQL another platform may be running: its claims expire.
    const owner = this.#work.read.dialect === "sqlite" ? undefined : this.#owner;
    await this.#work.write((tx) => releaseClaims(tx, owner));
    this.wake();
    lifetime.every(lookIntervalMs, "file-removals-not-forgotten", () => {
      this.wake();
      return this.forget();
    });
    lifetime.every(lookIntervalMs, "uploads-not-taken-back", () => this.retake());
    lifetime.onClose(async () => {
      this.#isStopped = true;
      // A store that does not respond must not block the shutdown: the next start continues.
      await within(closingMs, Promise.resolve(this.#running), undefined);
    });
  }

  /** Deletes removals that ended before any upload that is still running began. */
  async forget(): Promise<void> {
    const before = new Date(this.options.now().getTime() - rememberedMs).toISOString();
    for (let forgotten = forgottenRows; forgotten === forgottenRows;) {
      forgotten = await this.#work.write((tx) => forgetRemovals(tx, before, forgottenRows));
    }
  }

  /** Runs the removals that are due, in the background. */
  wake(): void {
    this.#isWanted = true;
    this.#running ??= keptPromise(this.#run());
  }

  /**
   * Removes these bytes unless a row references them; returns whether they are gone. Throws
   * `StorageError` if the store fails or another process is removing them.
   */
  async remove(key: BlobKey, size: number): Promise<boolean> {
    const removal = [{ sha256: key.sha256, size }];
    await this.#work.write((tx) => requestRemovals(tx, key.workspaceId, removal));
    await this.#end(key);
    if (await isRemovalOpen(this.#work.read, key)) {
      throw new StorageError("Could not remove a file: another process is removing it");
    }
    return !(await isFileOwned(this.#work.read, key));
  }

  /**
   * Removes files that were staged for rows which could not be written. If the database refuses
   * this too, a timer or the next start does it.
   */
  async takeBack(files: readonly StagedBlob[]): Promise<void> {
    for (const [place, staged] of files.entries()) {
      try {
        await this.#takeBack(staged);
      } catch {
        // The other files would fail for the same reason.
        for (const left of files.slice(place)) {
          if (this.#undecided.size < undecidedLimit) this.#undecided.add(left);
        }
        return;
      }
    }
  }

  async retake(): Promise<void> {
    for (const staged of this.#undecided) {
      await this.#takeBack(staged);
      this.#undecided.delete(staged);
    }
  }

  async #takeBack(staged: StagedBlob): Promise<void> {
    if (staged.mayBePublished) await this.remove(staged.address, staged.size);
    await staged.discard();
  }

  async #run(): Promise<void> {
    const { logger } = this.options;
    try {
      while (this.#isWanted && !this.#isStopped) {
        this.#isWanted = false;
        if ((await this.options.areHeld?.(this.#work.read)) === true) return;
        for await (const due of this.#due()) {
          if (this.#isStopped) return;
          try {
            await this.#end(due);
          } catch (error) {
            // Its progress is unknown, so it keeps its claim and is retried after that.
            if (this.#isStopped) return;
            logger.error({ event: "file-removal-failed", ...due, error: String(error) });
          }
        }
      }
    } catch (error) {
      if (this.#isStopped) return;
      logger.error({ event: "file-removals-failed", error: String(error) });
    } finally {
      this.#running = undefined;
    }
  }

  async *#due(): AsyncGenerator<BlobKey, void, undefined> {
    let after: BlobKey | undefined = { workspaceId: "", sha256: "" };
    while (after !== undefined) {
      const remover = { owner: this.#owner, now: this.options.now().toISOString() };
      const due: BlobKey[] = await dueRemovals(this.#work.read, remover, after, pageRows);
      yield* due;
      after = due.length < pageRows ? undefined : due.at(-1);
    }
  }

  #end(key: BlobKey): Promise<void> {
    const { blobs, now } = this.options;
    return this.#lock.run(`${key.workspaceId}/${key.sha256}`, async () => {
      const isClaimed = await this.#work.write(async (tx) => {
        const at = now().toISOString();
        const until = new Date(now().getTime() + claimMs).toISOString();
        const remover = { owner: this.#owner, now: at, until };
        if (!(await claimRemoval(tx, key, remover))) return false;
        if (!(await isFileOwned(tx, key))) return true;
        await dropRemoval(tx, key, at);
        return false;
      });
      if (!isClaimed) return;
      await blobs.remove(key);
      await this.#work.write((tx) => endRemoval(tx, key, now().toISOString()));
    });
  }
}
