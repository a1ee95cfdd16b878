import { statSync } from "node:fs";
import { diskFailure, StorageError } from "../errors.ts";
import type { CheckpointPass, CheckpointReply } from "./checkpoint-worker.ts";

/** What is used of a thread that makes checkpoints. */
interface CheckpointThread {
  once(event: "message", listener: (reply: CheckpointReply) => void): unknown;
  once(event: "error", listener: (error: unknown) => void): unknown;
  off(event: "error", listener: (error: unknown) => void): unknown;
  postMessage(message: "checkpoint"): void;
  terminate(): Promise<unknown>;
}

export interface CheckpointerOptions {
  /** The `-wal` file. */
  readonly walPath: string;
  /** Below this size there is nothing worth doing. */
  readonly smallBytes: number;
  /** Above this size the rest is moved between two batches, since writers never pause by chance. */
  readonly largeBytes: number;
  readonly pageBytes: number;
  /** At most one look at the log in this time, and fewer when there is much to move. */
  readonly intervalMs: number;
  readonly start: () => Promise<CheckpointThread>;
  /** Runs the work between two transactions: no writer goes on until it has ended. */
  readonly hold: (work: () => Promise<void>) => Promise<void>;
  /**
   * Runs the work while no scan runs, or not at all where those that do don't end soon: each has the
   * log as it was when it began, and where one follows the other, there is no end to it.
   */
  readonly withoutScans: (work: () => Promise<void>) => Promise<void>;
  /** The file can no longer be trusted to have what the log had: nothing may be written any more. */
  readonly onLoss: (error: StorageError) => void;
}

const catchUpRounds = 5;
const fewPages = 300;
/** Of the time, that this may take of a processor and the disk while writers want both. */
const busyShare = 0.1;
const longestPauseMs = 500;
/** What is left by then is a matter of milliseconds. */
const holdLimitMs = 2_000;

/**
 * Keeps the write-ahead log short without holding up writers: a thread with a connection of its
 * own copies pages into the database file (a PASSIVE checkpoint waits for nobody) and brings them to
 * the disk, often and a little each time: a commit's own sync then finds a short queue. SQLite starts
 * the log anew only when all of it has been copied; under steady load that moment never comes by
 * itself, so writers are held up while a long log's short rest is copied. Readers never are.
 */
export class Checkpointer {
  readonly #options: CheckpointerOptions;
  #worker: Promise<CheckpointThread> | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #pauseMs: number;
  #isRunning = false;
  #isDirty = false;
  #closed = false;
  /** Of the log: from here on scans wait for it to start anew. */
  #tooLargeBytes: number;

  constructor(options: CheckpointerOptions) {
    this.#options = options;
    this.#tooLargeBytes = 2 * options.largeBytes;
    this.#pauseMs = options.intervalMs;
  }

  /** After each commit. */
  noteCommit(): void {
    this.#isDirty = true;
    if (this.#timer !== undefined || this.#isRunning || this.#closed) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      if (this.#walBytes() >= this.#options.smallBytes) void this.#checkpoint();
    }, this.#pauseMs);
    this.#timer.unref();
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#timer);
    const worker = await this.#worker?.catch(() => undefined);
    await worker?.terminate();
  }

  async #checkpoint(): Promise<void> {
    if (this.#isRunning || this.#closed) return;
    this.#isRunning = true;
    this.#isDirty = false;
    try {
      this.#worker ??= this.#options.start();
      const worker = await this.#worker;
      const startedAt = performance.now();
      let pass = await this.#ask(worker);
      const tookMs = performance.now() - startedAt;
      const isLarge = pass.logPages * this.#options.pageBytes >= this.#options.largeBytes;
      this.#pauseMs = isLarge ? this.#options.intervalMs : this.#pauseAfter(tookMs);
      if (!isLarge) {
        this.#tooLargeBytes = 2 * this.#options.largeBytes;
        return;
      }
      pass = await this.#catchUp(worker, pass);
      if (pass.movedPages === pass.logPages) {
        await this.#moveRest(worker);
        return;
      }
      // Somebody reads an older state, which has to stay: nobody need wait for the rest, at first.
      const { largeBytes, pageBytes, withoutScans } = this.#options;
      const logBytes = pass.logPages * pageBytes;
      if (logBytes < this.#tooLargeBytes || this.#closed) {
        // A look at a long log sorts all of its pages, only to find that none may be moved yet.
        this.#pauseMs = longestPauseMs;
        return;
      }
      // Scans don't wait again and again for one that goes on for long.
      this.#tooLargeBytes = logBytes + largeBytes;
      await withoutScans(async () => {
        const { movedPages, logPages } = await this.#catchUp(worker, pass);
        if (movedPages === logPages) await this.#moveRest(worker);
      });
    } catch (error) {
      if (error instanceof StorageError) {
        // Another try would succeed without what the system could not write and has forgotten.
        this.#closed = true;
        this.#options.onLoss(error);
      }
      // The next commit tries again; until then SQLite's own limit on the log holds.
      const broken = await this.#worker?.catch(() => undefined);
      this.#worker = undefined;
      await broken?.terminate();
    } finally {
      this.#isRunning = false;
      // What was committed meanwhile is not in the file yet.
      if (this.#isDirty) this.noteCommit();
    }
  }

  /** Again for what was written meanwhile, so that the part that writers wait for is short. */
  async #catchUp(worker: CheckpointThread, before: CheckpointPass): Promise<CheckpointPass> {
    let pass = before;
    for (let round = 1; round <= catchUpRounds; round += 1) {
      const { logPages, movedPages } = pass;
      pass = await this.#ask(worker);
      if (pass.logPages - logPages < fewPages) break;
      if (pass.movedPages === movedPages) break;
    }
    return pass;
  }

  async #moveRest(worker: CheckpointThread): Promise<void> {
    if (this.#closed) return;
    await this.#options.hold(async () => {
      await Promise.race([this.#ask(worker), Bun.sleep(holdLimitMs)]);
    });
  }

  #pauseAfter(tookMs: number): number {
    return Math.min(Math.max(this.#options.intervalMs, tookMs / busyShare), longestPauseMs);
  }

  #ask(worker: CheckpointThread): Promise<CheckpointPass> {
    return new Promise((resolve, reject) => {
      worker.once("message", (reply: CheckpointReply) => {
        worker.off("error", reject);
        if ("pass" in reply) resolve(reply.pass);
        else if (reply.error.isLoss) reject(diskFailure(reply.error.message));
        else reject(new Error(reply.error.message));
      });
      worker.once("error", reject);
      worker.postMessage("checkpoint");
    });
  }

  #walBytes(): number {
    return statSync(this.#options.walPath, { throwIfNoEntry: false })?.size ?? 0;
  }
}
