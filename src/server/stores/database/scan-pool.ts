import type { Worker } from "node:worker_threads";
import type { Reader, ScanOptions, Scanner } from "../database.ts";
import { OverloadedError, ScanStoppedError, StorageError } from "./errors.ts";
import type { Execute } from "./kysely.ts";
import { ExecutingReader } from "./reader.ts";
import { sqliteFailure } from "./sqlite-connection.ts";
import type { WorkerReply } from "./sqlite-worker.ts";
import type { BoundParameter } from "./statement.ts";

export interface ScanPoolOptions {
  /** Scans that run at the same time, each in a thread of its own. */
  readonly threads: number;
  readonly queueLimit: number;
  readonly timeLimitMs: number;
  readonly start: () => Promise<Worker>;
}

interface Scan {
  readonly text: string;
  readonly parameters: readonly BoundParameter[];
  readonly resolve: (rows: Record<string, unknown>[]) => void;
  readonly reject: (error: unknown) => void;
  settled: boolean;
}

/** Stopped scans whose threads still burn: beyond this, new scans wait for one of them to end. */
const abandonedLimit = 4;

/** How long closing waits for a thread that is inside SQLite; it only reads, so it may be left. */
const closeLimitMs = 1_000;

/**
 * Long reads in worker threads. A stopped scan answers at once and its thread is let go, but Bun
 * gives no way to interrupt SQLite inside one step: the thread ends when that step does. So the
 * number of such threads is bounded.
 */
export class ScanPool {
  readonly #options: ScanPoolOptions;
  readonly #threads: ScanThread[] = [];
  readonly #queue: Scan[] = [];
  #abandoned = 0;
  #closed = false;

  constructor(options: ScanPoolOptions) {
    this.#options = options;
  }

  reader(): Scanner {
    const scanner = new ExecutingReader("sqlite", this.#executeWithin({}));
    return Object.assign(scanner, {
      with: (options: ScanOptions): Reader =>
        new ExecutingReader("sqlite", this.#executeWithin(options)),
    });
  }

  async close(): Promise<void> {
    this.#closed = true;
    const error = new StorageError("Cannot read: the database is closed");
    for (const scan of this.#queue.splice(0)) scan.reject(error);
    const ended = Promise.all(this.#threads.splice(0).map((thread) => thread.close(error)));
    await Promise.race([ended, Bun.sleep(closeLimitMs)]);
  }

  #executeWithin(options: ScanOptions): Execute {
    const timeLimitMs = options.timeLimitMs ?? this.#options.timeLimitMs;
    return async (text, parameters) => ({
      rows: await this.#scan(text, parameters, timeLimitMs, options.signal),
      changedRows: 0,
    });
  }

  #scan(
    text: string,
    parameters: readonly BoundParameter[],
    timeLimitMs: number,
    signal: AbortSignal | undefined,
  ): Promise<Record<string, unknown>[]> {
    return new Promise((resolve, reject) => {
      if (this.#closed) return reject(new StorageError("Cannot read: the database is closed"));
      if (signal?.aborted === true) return reject(stopped("aborted", timeLimitMs));
      if (this.#queue.length >= this.#options.queueLimit) {
        return reject(new OverloadedError("Cannot take another scan: too many are waiting"));
      }
      const settle = (): void => {
        scan.settled = true;
        clearTimeout(timer);
        signal?.removeEventListener("abort", onAbort);
      };
      const scan: Scan = {
        text,
        parameters,
        settled: false,
        resolve: (rows) => {
          settle();
          resolve(rows);
        },
        reject: (error) => {
          settle();
          reject(error);
        },
      };
      const onAbort = (): void => this.#stop(scan, stopped("aborted", timeLimitMs));
      const timer = setTimeout(
        () => this.#stop(scan, stopped("time-limit", timeLimitMs)),
        timeLimitMs,
      );
      signal?.addEventListener("abort", onAbort);
      this.#queue.push(scan);
      this.#next();
    });
  }

  #next(): void {
    if (this.#closed) return;
    while (this.#queue.length > 0) {
      const thread = this.#threads.find((candidate) => !candidate.isBusy) ?? this.#addThread();
      if (thread === undefined) return;
      const scan = this.#queue.shift();
      if (scan !== undefined && !scan.settled) thread.run(scan);
    }
  }

  #addThread(): ScanThread | undefined {
    if (this.#threads.length >= this.#options.threads) return undefined;
    if (this.#abandoned >= abandonedLimit) return undefined;
    const thread = new ScanThread(this.#options.start, {
      idle: () => this.#next(),
      broken: () => {
        this.#remove(thread);
        this.#next();
      },
    });
    this.#threads.push(thread);
    return thread;
  }

  #stop(scan: Scan, error: ScanStoppedError): void {
    const waiting = this.#queue.indexOf(scan);
    if (waiting >= 0) this.#queue.splice(waiting, 1);
    const thread = this.#threads.find((candidate) => candidate.isRunning(scan));
    if (thread === undefined) return scan.reject(error);
    this.#remove(thread);
    this.#abandoned += 1;
    void thread.close(error).finally(() => {
      this.#abandoned -= 1;
      this.#next();
    });
    this.#next();
  }

  #remove(thread: ScanThread): void {
    const index = this.#threads.indexOf(thread);
    if (index >= 0) this.#threads.splice(index, 1);
  }
}

/** One worker with at most one scan in it. */
class ScanThread {
  readonly #worker: Promise<Worker>;
  readonly #idle: () => void;
  #scan: Scan | undefined;
  #lastId = 0;

  constructor(start: () => Promise<Worker>, on: { idle: () => void; broken: () => void }) {
    this.#idle = on.idle;
    this.#worker = start();
    const fail = (error: unknown): void => {
      this.#finish((scan) => scan.reject(new StorageError("A scan failed", { cause: error })));
      on.broken();
    };
    this.#worker.then((worker) => {
      worker.on("message", (reply: WorkerReply) => this.#receive(reply));
      worker.on("error", fail);
    }, fail);
  }

  get isBusy(): boolean {
    return this.#scan !== undefined;
  }

  isRunning(scan: Scan): boolean {
    return this.#scan === scan;
  }

  run(scan: Scan): void {
    this.#scan = scan;
    this.#lastId += 1;
    const id = this.#lastId;
    this.#worker.then(
      (worker) => worker.postMessage({ id, text: scan.text, parameters: [...scan.parameters] }),
      () => {},
    );
  }

  /** Refuses what runs with `error` and ends when the thread has ended. */
  async close(error: Error): Promise<void> {
    this.#finish((scan) => scan.reject(error));
    // A thread that never started has nothing to end; whoever ran in it was refused already.
    const worker = await this.#worker.catch(() => undefined);
    await worker?.terminate();
  }

  #receive({ id, rows, error }: WorkerReply): void {
    if (id !== this.#lastId) return;
    this.#finish((scan) => {
      if (error === undefined) scan.resolve(rows ?? []);
      else scan.reject(sqliteFailure(Object.assign(new Error(error.message), error)));
    });
    this.#idle();
  }

  #finish(settle: (scan: Scan) => void): void {
    const scan = this.#scan;
    this.#scan = undefined;
    if (scan !== undefined && !scan.settled) settle(scan);
  }
}

function stopped(reason: "time-limit" | "aborted", timeLimitMs: number): ScanStoppedError {
  return reason === "aborted"
    ? new ScanStoppedError("The scan was stopped: its caller has gone", reason)
    : new ScanStoppedError(`The scan was stopped: it took longer than ${timeLimitMs} ms`, reason);
}
