import type { Worker } from "node:worker_threads";
import type { Reader, ScanOptions, Scanner } from "../database.ts";
import { callerGone, ScanStoppedError, StorageError } from "../../kit/storage-errors.ts";
import { ExecutingReader, type Execute } from "../reader.ts";
import { sqliteFailure } from "./sqlite-connection.ts";
import type { WorkerReply } from "./scan-worker.ts";
import type { BoundParameter } from "../statement.ts";
import { scanTurn } from "../scan-permits.ts";
import type { Permits } from "../../kit/turns/permits.ts";
import { keptPromise } from "../../kit/background.ts";

export interface ScanPoolOptions {
  /** Scans that run at the same time, each in its own thread, by share. */
  readonly permits: Permits;
  readonly timeLimitMs: number;
  /** Starts a thread, whose scan ends when its number is in `stopped[0]`. */
  readonly start: (stopped: Int32Array) => Promise<Worker>;
}

interface Scan {
  readonly text: string;
  readonly parameters: readonly BoundParameter[];
  readonly resolve: (rows: Record<string, unknown>[]) => void;
  readonly reject: (error: unknown) => void;
}

/** A stopped scan that has not ended by then is abandoned with its thread. */
const stopLimitMs = 500;

/** Abandoned threads that still run; beyond this, each one keeps its permit. */
const abandonedLimit = 4;

/** How long a close waits for a thread inside SQLite, which only reads. */
const closeLimitMs = 1_000;

/**
 * Long reads in worker threads. A stopped scan is answered at once, and its thread ends at the next
 * `unlessStopped`. A statement without one, or a long sort, continues inside SQLite, which Bun
 * cannot interrupt: its thread is abandoned, and the number of such threads is bounded.
 */
export class ScanPool {
  readonly #idle: ScanThread[] = [];
  readonly #busy = new Set<ScanThread>();
  readonly #abandoned = new Set<ScanThread>();
  #isClosed = false;

  constructor(private readonly options: ScanPoolOptions) {}

  /** The scans of a caller, whose waits are bounded. */
  reader(caller: string): Scanner {
    const within = (options: ScanOptions): Reader =>
      new ExecutingReader("sqlite", this.#executeWithin(options, caller));
    return Object.assign(within({}), { with: within });
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    const ended = Promise.all(
      [...this.#idle.splice(0), ...this.#busy].map((thread) => thread.end(closed())),
    );
    await Promise.race([ended, Bun.sleep(closeLimitMs)]);
  }

  #executeWithin(options: ScanOptions, caller: string): Execute {
    return async (text, parameters) => ({
      rows: await this.#scan(text, parameters, options, caller),
      changedRows: 0,
    });
  }

  async #scan(
    text: string,
    parameters: readonly BoundParameter[],
    options: ScanOptions,
    caller: string,
  ): Promise<Record<string, unknown>[]> {
    if (this.#isClosed) throw closed();
    const { signal } = options;
    const limitMs = options.timeLimitMs ?? this.options.timeLimitMs;
    const turn = await scanTurn(this.options.permits, options, caller, limitMs);
    const { release, timeLimitMs } = turn;
    if (this.#isClosed || signal?.aborted === true) {
      release();
      throw this.#isClosed ? closed() : callerGone();
    }
    const thread = this.#idle.pop() ?? new ScanThread(this.options.start);
    this.#busy.add(thread);
    const onAbort = (): void => thread.stop(callerGone());
    const timer = setTimeout(() => thread.stop(overLimit(timeLimitMs)), timeLimitMs);
    signal?.addEventListener("abort", onAbort);
    const onState = (state: ThreadState): void => {
      this.#busy.delete(thread);
      if (state === "ending") {
        this.#abandoned.add(thread);
        if (this.#abandoned.size > abandonedLimit) return;
      } else this.#abandoned.delete(thread);
      if (state === "idle" && !this.#isClosed) this.#idle.push(thread);
      release();
    };
    try {
      return await thread.run(text, parameters, onState);
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener("abort", onAbort);
    }
  }
}

/** The state of a thread after its scan: `ending` is still inside SQLite, `ended` is not. */
type ThreadState = "idle" | "ending" | "ended";

/** One worker with at most one scan in it. */
class ScanThread {
  readonly #stopped = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  readonly #worker: Promise<Worker>;
  #scan: Scan | undefined;
  #onState: ((state: ThreadState) => void) | undefined;
  #lastId = 0;
  #stopping: ReturnType<typeof setTimeout> | undefined;

  constructor(start: ScanPoolOptions["start"]) {
    this.#worker = keptPromise(start(this.#stopped));
    const fail = (error: unknown): void => {
      this.#settle((scan) => scan.reject(new StorageError("A scan failed", { cause: error })));
      this.#become("ended");
    };
    this.#worker.then((worker) => {
      worker.on("message", (reply: WorkerReply) => this.#receive(reply));
      worker.on("error", fail);
    }, fail);
  }

  run(
    text: string,
    parameters: readonly BoundParameter[],
    onState: (state: ThreadState) => void,
  ): Promise<Record<string, unknown>[]> {
    return new Promise((resolve, reject) => {
      this.#scan = { text, parameters, resolve, reject };
      this.#onState = onState;
      this.#lastId += 1;
      const id = this.#lastId;
      this.#worker.then(
        (worker) => worker.postMessage({ id, text, parameters: [...parameters] }),
        () => {},
      );
    });
  }

  /** Rejects the running scan, and ends the thread unless the scan ends soon. */
  stop(error: ScanStoppedError): void {
    if (this.#scan === undefined) return;
    Atomics.store(this.#stopped, 0, this.#lastId);
    this.#settle((scan) => scan.reject(error));
    this.#stopping = setTimeout(() => {
      this.end(error).catch(() => {});
    }, stopLimitMs);
  }

  /** Rejects the running scan, and resolves when the thread has ended. */
  async end(error: Error): Promise<void> {
    clearTimeout(this.#stopping);
    this.#settle((scan) => scan.reject(error));
    // A thread that never started has rejected its scan already.
    const worker = await this.#worker.catch(() => undefined);
    this.#become("ending");
    await worker?.terminate();
    this.#become("ended");
  }

  #receive({ id, rows, error }: WorkerReply): void {
    if (id !== this.#lastId) return;
    clearTimeout(this.#stopping);
    this.#settle((scan) => {
      if (error === undefined) scan.resolve(rows ?? []);
      else scan.reject(sqliteFailure(Object.assign(new Error(error.message), error)));
    });
    this.#become("idle");
  }

  #settle(settle: (scan: Scan) => void): void {
    const scan = this.#scan;
    this.#scan = undefined;
    if (scan !== undefined) settle(scan);
  }

  #become(state: ThreadState): void {
    const onState = this.#onState;
    if (state !== "ending") this.#onState = undefined;
    onState?.(state);
  }
}

function closed(): StorageError {
  return new StorageError("Cannot read: the database is closed");
}

function overLimit(timeLimitMs: number): ScanStoppedError {
  const words = `The scan was stopped: it took longer than ${timeLimitMs} ms`;
  return new ScanStoppedError(words, "time-limit");
}
