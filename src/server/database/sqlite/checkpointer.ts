import { statSync } from "node:fs";
import { diskFailure, StorageError } from "../../kit/storage-errors.ts";
import type { CheckpointPass, CheckpointReply, CheckpointRequest } from "./checkpoint-worker.ts";
import type { LogLine } from "../database.ts";
import { keptPromise } from "../../kit/background.ts";

interface CheckpointThread {
  once(event: "message", listener: (reply: CheckpointReply) => void): unknown;
  once(event: "error", listener: (error: unknown) => void): unknown;
  off(event: "error", listener: (error: unknown) => void): unknown;
  postMessage(message: CheckpointRequest): void;
  terminate(): Promise<unknown>;
}

export interface CheckpointerOptions {
  /** The path of the `-wal` file. */
  readonly walPath: string;
  /** A smaller log needs no checkpoint. */
  readonly smallBytes: number;
  /** A larger log is moved to its end between two batches, while writers wait. */
  readonly largeBytes: number;
  readonly pageBytes: number;
  /** Shortest time between two checks of the log; longer when there is much to move. */
  readonly intervalMs: number;
  readonly start: () => Promise<CheckpointThread>;
  /** Runs the work between two transactions; writers wait for it. */
  readonly hold: (work: () => Promise<void>) => Promise<void>;
  /**
   * Runs the work while no scan runs, or not at all when the running ones do not end soon. Each
   * scan keeps the log as it was at its start, so that scans in a row keep it for ever.
   */
  readonly withoutScans: (work: () => Promise<void>) => Promise<void>;
  /** Pages of the log may be missing in the file: all further writes must fail. */
  readonly onLoss: (error: StorageError) => void;
  /** True if the thread copies the log. */
  readonly copies?: boolean;
}

const catchUpRounds = 5;
const fewPages = 300;
/** Share of the time that checkpoints may use a processor and the disk. */
const busyShare = 0.1;
const longestPauseMs = 500;
/** The rest of the log takes milliseconds. */
const holdLimitMs = 2_000;
const closeLimitMs = 2_000;

/**
 * Keeps the write-ahead log short without delaying writers. A thread with its own connection copies
 * pages into the database file (PASSIVE checkpoints, which wait for no one) and syncs them, often
 * and a few at a time. SQLite restarts the log only when all of it is copied, which never happens
 * under steady load: writers wait while the short rest of a long log is copied. Readers never wait.
 */
export class Checkpointer {
  #worker: Promise<CheckpointThread> | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #pauseMs: number;
  #isRunning = false;
  #asked: Promise<unknown> = Promise.resolve();
  #isDirty = false;
  #closed = false;
  /** Scans wait until a log of this size restarts. */
  #tooLargeBytes: number;

  constructor(private readonly options: CheckpointerOptions) {
    this.#tooLargeBytes = 2 * options.largeBytes;
    this.#pauseMs = options.intervalMs;
  }

  noteCommit(): void {
    this.#isDirty = true;
    if (this.#timer !== undefined || this.#isRunning || this.#closed) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      if (this.#walBytes() >= this.options.smallBytes) this.#checkpoint().catch(() => {});
    }, this.#pauseMs);
    this.#timer.unref();
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#timer);
    if (this.options.copies === true) this.#worker ??= keptPromise(this.options.start());
    await this.#end(await this.#worker?.catch(() => undefined));
  }

  async #end(worker: CheckpointThread | undefined): Promise<void> {
    if (worker !== undefined && this.options.copies === true) {
      // A copy that fails makes the next start begin another line. A thread that has failed may
      // give no reply.
      const closed = this.#ask(worker, "close").catch(() => {});
      await Promise.race([closed, Bun.sleep(closeLimitMs)]);
      this.#asked = keptPromise(Promise.resolve());
    }
    await worker?.terminate();
  }

  /** Copies what was committed to the end of the log; returns its line. */
  async copyLog(request: "copy" | "renew"): Promise<LogLine | undefined> {
    if (this.#closed) return undefined;
    const worker = await (this.#worker ??= keptPromise(this.options.start()));
    return (await this.#ask(worker, request)).line;
  }

  /**
   * Moves the whole log into the file and truncates it, while writers wait; false when a reader
   * still needs it, or another checkpoint runs.
   */
  async empty(): Promise<boolean> {
    if (this.#isRunning || this.#closed) return false;
    this.#isRunning = true;
    let isEmpty = false;
    try {
      const worker = await (this.#worker ??= keptPromise(this.options.start()));
      await this.#catchUp(worker, await this.#ask(worker));
      await this.options.withoutScans(() =>
        this.options.hold(async () => {
          const { logPages } = await this.#ask(worker, "truncate");
          isEmpty = logPages === 0;
        }),
      );
      return isEmpty;
    } catch (error) {
      await this.#afterFailure(error);
      return false;
    } finally {
      this.#isRunning = false;
      if (this.#isDirty) this.noteCommit();
    }
  }

  async #checkpoint(): Promise<void> {
    if (this.#isRunning || this.#closed) return;
    this.#isRunning = true;
    this.#isDirty = false;
    try {
      this.#worker ??= keptPromise(this.options.start());
      const worker = await this.#worker;
      const startedAt = performance.now();
      let pass = await this.#ask(worker);
      const tookMs = performance.now() - startedAt;
      const isLarge = pass.logPages * this.options.pageBytes >= this.options.largeBytes;
      this.#pauseMs = isLarge ? this.options.intervalMs : this.#pauseAfter(tookMs);
      if (!isLarge) {
        this.#tooLargeBytes = 2 * this.options.largeBytes;
        return;
      }
      pass = await this.#catchUp(worker, pass);
      if (pass.movedPages === pass.logPages) {
        await this.#moveRest(worker);
        return;
      }
      // A reader needs an older state.
      const { largeBytes, pageBytes, withoutScans } = this.options;
      const logBytes = pass.logPages * pageBytes;
      if (logBytes < this.#tooLargeBytes || this.#closed) {
        // A checkpoint of a long log sorts all of its pages, and would move none.
        this.#pauseMs = longestPauseMs;
        return;
      }
      // One long scan does not stop the others again and again.
      this.#tooLargeBytes = logBytes + largeBytes;
      await withoutScans(async () => {
        const { movedPages, logPages } = await this.#catchUp(worker, pass);
        if (movedPages === logPages) await this.#moveRest(worker);
      });
    } catch (error) {
      await this.#afterFailure(error);
    } finally {
      this.#isRunning = false;
      if (this.#isDirty) this.noteCommit();
    }
  }

  async #afterFailure(error: unknown): Promise<void> {
    if (error instanceof StorageError) {
      // The system forgets pages that it could not write, so that a retry would succeed without
      // them.
      this.#closed = true;
      this.options.onLoss(error);
    }
    // The next commit tries again; until then SQLite's own checkpoint limits the log.
    const broken = await this.#worker?.catch(() => undefined);
    this.#worker = undefined;
    await this.#end(broken);
  }

  /** Repeats the checkpoint, so that the rest that writers wait for is short. */
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
    await this.options.hold(async () => {
      await Promise.race([this.#ask(worker, "last"), Bun.sleep(holdLimitMs)]);
    });
  }

  #pauseAfter(tookMs: number): number {
    return Math.min(Math.max(this.options.intervalMs, tookMs / busyShare), longestPauseMs);
  }

  /** One request after the other: a reply names no request. */
  #ask(
    worker: CheckpointThread,
    request: CheckpointRequest = "checkpoint",
  ): Promise<CheckpointPass> {
    const ask = (): Promise<CheckpointPass> => this.#askNow(worker, request);
    const answer = this.#asked.then(ask, ask);
    this.#asked = keptPromise(answer);
    return answer;
  }

  #askNow(worker: CheckpointThread, request: CheckpointRequest): Promise<CheckpointPass> {
    return new Promise((resolve, reject) => {
      worker.once("message", (reply: CheckpointReply) => {
        worker.off("error", reject);
        if ("pass" in reply) resolve(reply.pass);
        else if (reply.error.isLoss) reject(diskFailure(reply.error.message));
        else reject(new Error(reply.error.message));
      });
      worker.once("error", reject);
      worker.postMessage(request);
    });
  }

  #walBytes(): number {
    return statSync(this.options.walPath, { throwIfNoEntry: false })?.size ?? 0;
  }
}
