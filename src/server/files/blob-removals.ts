import { hostname } from "node:os";
import { resolve } from "node:path";
import { KeyedLock } from "../kit/keyed-lock.ts";
import { within } from "#lib/within.ts";
import type { BlobStore, StagedBlob } from "./blob-store.ts";
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
import type { Database } from "../database/database.ts";
import { StorageError } from "../kit/storage-errors.ts";

/** Removals that are looked up, or forgotten, at a time. */
const pageRows = 100;
const forgottenRows = 1_000;
/** Beyond every time limit of a file store: after it nobody can still be removing. */
const claimMs = 2 * 60_000;
/** Beyond the time from an upload's first look at a removal to its last. */
const rememberedMs = 60 * 60_000;
const lookIntervalMs = 30_000;
const closingMs = 2_000;
/** Beyond it they wait for the next start. */
const undecidedLimit = 10_000;

export interface BlobRemovalsOptions {
  /** Not the one for keyed requests: what is removed here is no part of any request's effect. */
  readonly database: Database;
  readonly blobs: BlobStore;
  readonly now: () => Date;
  readonly logger: Logger;
  readonly lifetime: Lifetime;
  /** Where this platform keeps its own things: no other one does so there at the same time. */
  readonly dataDirectory: string;
}

/**
 * Takes bytes out of the file store once no row names them. Whoever gives bytes up notes it in the
 * unit in which it does so; here each note is claimed in a unit that looks for other owners, so
 * that an upload of the same bytes either is seen, or sees the claim and waits, or sees that a
 * removal has come in between and puts its bytes back. What fails, or is cut off by a crash, is
 * tried again when its claim has run out, or at the next start.
 */
export class BlobRemovals {
  readonly #options: BlobRemovalsOptions;
  readonly #lock = new KeyedLock();
  readonly #owner: string;
  /** Published for rows that could not be made, and not taken back yet. */
  readonly #undecided = new Set<StagedBlob>();
  #running: Promise<void> | undefined;
  #isWanted = false;
  #isStopped = false;

  constructor(options: BlobRemovalsOptions) {
    this.#options = options;
    this.#owner = `${hostname()}:${resolve(options.dataDirectory)}`;
  }

  /** Goes on with what a crash left, and looks now and then for what is due. */
  async recover(): Promise<void> {
    const { database, lifetime } = this.#options;
    // On PostgreSQL another platform may be at work: its claims run out by themselves.
    const owner = database.dialect === "sqlite" ? undefined : this.#owner;
    await database.write((writer) => releaseClaims(writer, owner));
    this.wake();
    lifetime.every(lookIntervalMs, "file-removals-not-forgotten", () => {
      this.wake();
      return this.forget();
    });
    lifetime.every(lookIntervalMs, "uploads-not-taken-back", () => this.retake());
    lifetime.onClose(async () => {
      this.#isStopped = true;
      // A store that does not answer holds up no shutdown: the next start goes on.
      await within(closingMs, Promise.resolve(this.#running), undefined);
    });
  }

  /** Forgets removals that ended so long ago that no upload can have seen them begin. */
  async forget(): Promise<void> {
    const { database, now } = this.#options;
    const before = new Date(now().getTime() - rememberedMs).toISOString();
    for (let forgotten = forgottenRows; forgotten === forgottenRows;) {
      forgotten = await database.write((writer) => forgetRemovals(writer, before, forgottenRows));
    }
  }

  /** Looks for what is due, in the background. */
  wake(): void {
    this.#isWanted = true;
    this.#running ??= this.#run();
  }

  /**
   * Takes these bytes out unless a row names them, and says whether they are gone. Throws where the
   * store fails, and where another process removes them at this moment.
   */
  async remove(key: BlobKey, size: number): Promise<boolean> {
    const { database } = this.#options;
    await database.write((writer) =>
      requestRemovals(writer, key.workspaceId, [{ sha256: key.sha256, size }]),
    );
    await this.#end(key);
    if (await isRemovalOpen(database.read, key)) {
      throw new StorageError("Could not remove a file: another process is about to do so");
    }
    return !(await isFileOwned(database.read, key));
  }

  /**
   * Takes files back that were staged for rows which then could not be made, with the bytes that they
   * may have published. A database that takes no writes takes no note of them either: then it is done
   * as soon as it does, or by the next start.
   */
  async takeBack(files: readonly StagedBlob[]): Promise<void> {
    for (const [place, staged] of files.entries()) {
      try {
        await this.#takeBack(staged);
      } catch {
        // The others would wait for the same.
        for (const left of files.slice(place)) {
          if (this.#undecided.size < undecidedLimit) this.#undecided.add(left);
        }
        return;
      }
    }
  }

  /** Tries again to take back what could not be. */
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
    const { logger } = this.#options;
    try {
      while (this.#isWanted && !this.#isStopped) {
        this.#isWanted = false;
        for await (const due of this.#due()) {
          if (this.#isStopped) return;
          try {
            await this.#end(due);
          } catch (error) {
            // It keeps its claim, since nobody knows how far it came, and is tried again.
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
    const { database, now } = this.#options;
    let after: BlobKey | undefined = { workspaceId: "", sha256: "" };
    while (after !== undefined) {
      const remover = { owner: this.#owner, now: now().toISOString() };
      const due: BlobKey[] = await dueRemovals(database.read, remover, after, pageRows);
      yield* due;
      after = due.length < pageRows ? undefined : due.at(-1);
    }
  }

  #end(key: BlobKey): Promise<void> {
    const { database, blobs, now } = this.#options;
    return this.#lock.run(`${key.workspaceId}/${key.sha256}`, async () => {
      const isClaimed = await database.write(async (writer) => {
        const at = now().toISOString();
        const until = new Date(now().getTime() + claimMs).toISOString();
        const remover = { owner: this.#owner, now: at, until };
        if (!(await claimRemoval(writer, key, remover))) return false;
        if (!(await isFileOwned(writer, key))) return true;
        await dropRemoval(writer, key, at);
        return false;
      });
      if (!isClaimed) return;
      await blobs.remove(key);
      await database.write((writer) => endRemoval(writer, key, now().toISOString()));
    });
  }
}
