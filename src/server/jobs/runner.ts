import { within } from "#lib/within.ts";
import type { Database } from "../database/database.ts";
import { StorageError, StorageFullError } from "../kit/storage-errors.ts";
import {
  areJobsDue,
  cancelJob,
  claimJobs,
  finishJob,
  giveBackJob,
  heartbeatJobs,
  recoverInterruptedJobs,
  removeExpiredJobs,
  retryJob,
} from "./store.ts";
import type { Job, JobChange, JobError, JobKey } from "./store.ts";
import { JobChanges } from "./job-changes.ts";
import { JobFailedError, JobLeaseLostError, RunningJob } from "./running-job.ts";
import type { JobContext } from "./running-job.ts";

export { JobFailedError, JobLeaseLostError } from "./running-job.ts";
export type { JobContext, StageRun } from "./running-job.ts";

/** How a job went that did not fail. */
export interface JobOutcome {
  readonly state: "succeeded" | "completed_with_errors";
  readonly error?: JobError;
}

/**
 * The work of one kind. It may be run again after a crash, from its last good stage, so each stage
 * must bear being started twice. `JobFailedError` ends the job as failed; any other error is
 * unexpected: the job is tried again later, until its attempts are used up.
 */
export type JobWork = (job: Job, context: JobContext) => Promise<JobOutcome | void>;

export interface JobRunnerOptions {
  readonly database: Database;
  readonly kinds: Readonly<Record<string, JobWork>>;
  /** Jobs at the same time in this process. */
  readonly concurrency: number;
  readonly now: () => Date;
  /** Unexpected errors, for the log; the job's owner sees only that there was one. */
  readonly onError?: (error: unknown, job: Job | undefined) => void;
  /** How long a dead worker's job waits for another. Default 30 s. */
  readonly leaseMs?: number;
  /** How often to look for work that nobody woke us for. Default 1 s. */
  readonly pollMs?: number;
  /** How long the tracker of a job that is done is kept. Default 7 days. */
  readonly retentionMs?: number;
}

export interface JobRunner {
  /** Takes up what an earlier process left, then works until `stop`. */
  start(): Promise<void>;
  /**
   * Claims nothing more; lets running jobs end for most of the time, then aborts them. What has
   * not ended is left to be resumed. Resolves within about `timeoutMs` (default 10 s).
   */
  stop(timeoutMs?: number): Promise<void>;
  /** Look for work now: call it after the unit that enqueued a job. */
  wake(): void;
  /** Cancels and tells the worker. Undefined: no such job. `changed` false: it is already done. */
  cancel(key: JobKey): Promise<JobChange>;
  /** Queues a job that is done, but not well, again. */
  retry(key: JobKey): Promise<JobChange>;
  /**
   * Calls `listener` after each committed change, perhaps twice for one; read the job then
   * (`revision` tells whether it is new). Returns the function that ends it.
   */
  onChange(key: JobKey, listener: () => void): () => void;
}

export function createJobRunner(options: JobRunnerOptions): JobRunner {
  return new Runner(options);
}

const defaultLeaseMs = 30_000;
const defaultPollMs = 1_000;
const defaultRetentionMs = 7 * 24 * 60 * 60 * 1_000;

/** Time kept from `stop` for what aborted jobs still have to put away. */
const abortGraceMs = 1_500;

/** Recoveries and removals of one sweep; the rest waits for the next. */
const sweepLimit = 500;

class Runner implements JobRunner {
  readonly #options: JobRunnerOptions;
  readonly #leaseMs: number;
  readonly #changes: JobChanges;
  readonly #kinds: readonly string[];
  readonly #running = new Map<RunningJob, Promise<void>>();
  readonly #timers: ReturnType<typeof setInterval>[] = [];
  #state: "new" | "started" | "stopping" | "stopped" = "new";
  #look: Promise<void> | undefined;
  #isWoken = false;

  constructor(options: JobRunnerOptions) {
    this.#options = options;
    this.#leaseMs = options.leaseMs ?? defaultLeaseMs;
    this.#changes = new JobChanges(options.database, options.pollMs ?? defaultPollMs);
    this.#kinds = Object.keys(options.kinds);
  }

  async start(): Promise<void> {
    if (this.#state !== "new") throw new TypeError("Cannot start a job runner twice");
    this.#state = "started";
    // On SQLite the data directory is ours alone, so every running job's worker is dead.
    await this.#recover(this.#options.database.dialect === "sqlite");
    this.#every(this.#options.pollMs ?? defaultPollMs, async () => this.wake());
    this.#every(this.#leaseMs / 3, () => this.#heartbeat());
    this.#every(this.#leaseMs / 2, () => this.#sweep());
    this.wake();
  }

  async stop(timeoutMs = 10_000): Promise<void> {
    if (this.#state !== "started") return;
    this.#state = "stopping";
    // Heartbeats go on until the end: what still runs is still ours.
    await this.#look;
    const ended = Promise.all(this.#running.values());
    await within(timeoutMs - abortGraceMs, ended, undefined);
    for (const running of this.#running.keys()) running.abort(new ShutdownError());
    await within(Math.min(timeoutMs, abortGraceMs), ended, undefined);
    for (const timer of this.#timers.splice(0)) clearInterval(timer);
    await Promise.all([...this.#running.keys()].map((running) => this.#giveBack(running)));
    this.#changes.close();
    this.#state = "stopped";
  }

  wake(): void {
    if (this.#state !== "started") return;
    this.#isWoken = true;
    this.#look ??= this.#claimAll().finally(() => {
      this.#look = undefined;
    });
  }

  async cancel(key: JobKey): Promise<JobChange> {
    const now = this.#options.now();
    const limits = { expiresAt: this.#expiry(now), now };
    const change = await this.#options.database.write((writer) => cancelJob(writer, key, limits));
    if (change?.changed !== true) return change;
    for (const running of this.#running.keys()) {
      if (isSame(running.job, key)) running.abort(new JobLeaseLostError("The job was cancelled"));
    }
    this.#changes.emit(key);
    return change;
  }

  async retry(key: JobKey): Promise<JobChange> {
    const now = this.#options.now();
    const change = await this.#options.database.write((writer) => retryJob(writer, key, { now }));
    if (change?.changed !== true) return change;
    this.#changes.emit(key);
    this.wake();
    return change;
  }

  onChange(key: JobKey, listener: () => void): () => void {
    return this.#changes.listen(key, listener);
  }

  #every(intervalMs: number, work: () => Promise<void>): void {
    let isBusy = false;
    const timer = setInterval(() => {
      if (isBusy) return;
      isBusy = true;
      void this.#guard(work).finally(() => {
        isBusy = false;
      });
    }, intervalMs);
    timer.unref();
    this.#timers.push(timer);
  }

  /** Claims until nothing is due or all hands are full; a wake-up meanwhile makes it look again. */
  async #claimAll(): Promise<void> {
    while (this.#isWoken && this.#state === "started") {
      this.#isWoken = false;
      await this.#guard(async () => {
        const { database, concurrency, now } = this.#options;
        const free = concurrency - this.#running.size;
        if (free <= 0 || !(await areJobsDue(database.read, this.#kinds, now()))) return;
        const claim = { kinds: this.#kinds, limit: free, leaseMs: this.#leaseMs, now: now() };
        const jobs = await database.write((writer) => claimJobs(writer, claim));
        for (const job of jobs) this.#run(job);
        if (jobs.length > 0) this.#isWoken = true;
      });
    }
  }

  #run(job: Job): void {
    const running = new RunningJob(job, {
      database: this.#options.database,
      now: this.#options.now,
      onSaved: () => this.#changes.emit(job),
    });
    this.#changes.emit(job);
    const work = this.#guard(() => this.#work(running), job).finally(() => {
      this.#running.delete(running);
      this.wake();
    });
    this.#running.set(running, work);
  }

  async #work(running: RunningJob): Promise<void> {
    const { job } = running;
    const work = this.#options.kinds[job.kind];
    if (work === undefined) throw new TypeError(`No work is known for jobs of kind "${job.kind}"`);
    let outcome: JobOutcome | undefined;
    let thrown: { readonly error: unknown } | undefined;
    try {
      outcome = (await work(job, running)) ?? { state: "succeeded" };
    } catch (error) {
      thrown = { error };
    }
    await running.end();
    const reason: unknown = running.signal.reason;
    // Cancelled, or taken by another worker: what it came to is not ours to say.
    if (reason instanceof JobLeaseLostError) return;
    if (outcome !== undefined) await this.#finish(running, outcome);
    else if (reason instanceof ShutdownError) await this.#giveBack(running);
    else await this.#fail(running, thrown?.error);
    this.#changes.emit(job);
  }

  async #finish(
    running: RunningJob,
    { state, error }: { readonly state: JobOutcome["state"] | "failed"; readonly error?: JobError },
  ): Promise<void> {
    const now = this.#options.now();
    const isFailed = state === "failed" && error !== undefined;
    await this.#options.database.write((writer) =>
      finishJob(writer, running.job, {
        state,
        error,
        stages: isFailed ? running.failedStages(error) : running.stages,
        counts: running.counts,
        expiresAt: this.#expiry(now),
        now,
      }),
    );
  }

  async #fail(running: RunningJob, error: unknown): Promise<void> {
    const { job } = running;
    if (error instanceof JobFailedError) {
      const { code, message } = error;
      return this.#finish(running, { state: "failed", error: { code, message } });
    }
    this.#options.onError?.(error, job);
    const shown = shownError(error);
    if (job.attempt >= job.maxAttempts) {
      return this.#finish(running, { state: "failed", error: shown });
    }
    const now = this.#options.now();
    await this.#options.database.write((writer) =>
      giveBackJob(writer, job, {
        state: "queued",
        stages: running.stages,
        runAt: new Date(now.getTime() + backoffMs(job.attempt)),
        error: shown,
        now,
      }),
    );
  }

  /** Leaves the job to the next process that looks. */
  async #giveBack(running: RunningJob): Promise<void> {
    const now = this.#options.now();
    await this.#guard(async () => {
      await this.#options.database.write((writer) =>
        giveBackJob(writer, running.job, {
          state: "interrupted",
          stages: running.stages,
          runAt: now,
          now,
        }),
      );
    }, running.job);
    running.abort(new JobLeaseLostError("The job was left to be resumed"));
  }

  async #heartbeat(): Promise<void> {
    const all = [...this.#running.keys()];
    if (all.length === 0) return;
    const leases = all.map((running) => running.job);
    const lease = { leaseMs: this.#leaseMs, now: this.#options.now() };
    const held = await this.#options.database.write((writer) =>
      heartbeatJobs(writer, leases, lease),
    );
    for (const running of all) {
      if (held.has(running.job.id) || !this.#running.has(running)) continue;
      running.abort(new JobLeaseLostError("The job was cancelled, or another worker has it"));
    }
  }

  async #sweep(): Promise<void> {
    await this.#recover(false);
    this.wake();
    const sweep = { now: this.#options.now(), limit: sweepLimit };
    await this.#options.database.write((writer) => removeExpiredJobs(writer, sweep));
  }

  async #recover(all: boolean): Promise<void> {
    for (;;) {
      const now = this.#options.now();
      const recovery = { all, limit: sweepLimit, expiresAt: this.#expiry(now), now };
      const jobs = await this.#options.database.write((writer) =>
        recoverInterruptedJobs(writer, recovery),
      );
      for (const job of jobs) this.#changes.emit(job);
      if (jobs.length < sweepLimit) return;
    }
  }

  /** A failure of the storage ends one step, not the runner: the next poll tries again. */
  async #guard(work: () => Promise<void>, job?: Job): Promise<void> {
    try {
      await work();
    } catch (error) {
      // Work that outlived `stop` was given back; that it finds the database closed is no news.
      if (this.#state !== "stopped") this.#options.onError?.(error, job);
    }
  }

  #expiry(now: Date): Date {
    return new Date(now.getTime() + (this.#options.retentionMs ?? defaultRetentionMs));
  }
}

/** What a job's owner is told of a failure that its kind did not foresee: the rest is the log's. */
export function shownError(error: unknown): JobError {
  if (error instanceof StorageFullError) {
    return { code: "storage-full", message: "There was no space left." };
  }
  if (error instanceof StorageError) {
    return { code: "storage-unavailable", message: `${error.part} ${error.conduct}.` };
  }
  return { code: "internal", message: "The job failed unexpectedly." };
}

/** Why running work is aborted when the platform goes down. */
class ShutdownError extends Error {
  override readonly name = "ShutdownError";
  constructor() {
    super("The platform is going down");
  }
}

function isSame(a: JobKey, b: JobKey): boolean {
  return a.workspaceId === b.workspaceId && a.id === b.id;
}

/** 2 s, 8 s, 32 s, 2 min, then 5 min. */
function backoffMs(attempt: number): number {
  return Math.min(300_000, 2_000 * 4 ** (attempt - 1));
}
