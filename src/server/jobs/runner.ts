import { within } from "#lib/time/within.ts";
import { isStorageAway, StorageError, StorageFullError } from "../kit/storage-errors.ts";
import {
  areJobsDue,
  cancelJob,
  claimJobs,
  finishJob,
  returnJob,
  heartbeatJobs,
  recoverInterruptedJobs,
  removeExpiredJobs,
  retryJob,
} from "./store.ts";
import type { Job, JobChange, JobError, JobKey } from "./store.ts";
import type { Transaction, Work } from "../work/work.ts";
import type { PlatformWork } from "../work/works.ts";
import { JobChanges } from "./job-changes.ts";
import { isExpected, JobFailedError, JobLaterError, JobLeaseLostError } from "./running-job.ts";
import { awayPauseMs, backoffMs, RunningJob, type JobContext } from "./running-job.ts";
import { keptPromise } from "../kit/background.ts";

export { JobFailedError, JobLaterError, JobLeaseLostError } from "./running-job.ts";
export type { JobContext, StageRun } from "./running-job.ts";

/** The end of a job that did not fail. */
export interface JobOutcome {
  readonly state: "succeeded" | "completed_with_errors";
  readonly error?: JobError;
}

/**
 * The work of one kind of job. A stage may start again after a crash. `JobFailedError` ends the job
 * as failed; after any other error the job is tried again later, up to its maximum of attempts.
 * Attempts that end because the storage is away do not count.
 */
export type JobWork = (job: Job, context: JobContext) => Promise<JobOutcome | void>;

export interface JobRunnerOptions {
  readonly platformWork: PlatformWork;
  readonly kinds: Readonly<Record<string, JobWork>>;
  /** Maximum number of jobs at the same time in this process. */
  readonly concurrency: number;
  readonly now: () => Date;
  /** This process, and the one before it on its data directory. */
  readonly worker?: { readonly id: string; readonly earlierId: string | undefined };
  /** Reports unexpected errors, for the log. */
  readonly onError?: (error: unknown, job: Job | undefined) => void;
  /** After this time another worker may take a job whose worker is gone. Default 30 s. */
  readonly leaseMs?: number;
  /** The interval to look for due jobs. Default 1 s. */
  readonly pollMs?: number;
  /** How long an ended job is kept. Default 7 days. */
  readonly retentionMs?: number;
  /** How long ended jobs of single kinds are kept. */
  readonly retentionsMs?: Readonly<Record<string, number>>;
}

const defaultLeaseMs = 30_000;
const defaultPollMs = 1_000;
const defaultRetentionMs = 7 * 24 * 60 * 60 * 1_000;

/** The part of `stop`'s timeout that aborted jobs have to clean up. */
const abortGraceMs = 1_500;

const sweepLimit = 500;

/** The pauses between two attempts to save the end of a job while the storage is away. */
const firstSavePauseMs = 250;
const longestSavePauseMs = 5_000;

/** Claims and runs the jobs of its kinds in this process. */
export class JobRunner {
  /** The queue of all workspaces. */
  readonly #queue: Work;
  readonly #leaseMs: number;
  readonly #changes: JobChanges;
  readonly #kinds: readonly string[];
  readonly #running = new Map<RunningJob, Promise<void>>();
  readonly #timers: ReturnType<typeof setInterval>[] = [];
  #state: "new" | "started" | "stopping" | "stopped" = "new";
  #look: Promise<void> | undefined;
  #isWoken = false;

  constructor(private readonly options: JobRunnerOptions) {
    this.#queue = options.platformWork("the queue of jobs");
    this.#leaseMs = options.leaseMs ?? defaultLeaseMs;
    this.#changes = new JobChanges(this.#queue.read, options.pollMs ?? defaultPollMs);
    this.#kinds = Object.keys(options.kinds);
  }

  /** Recovers the jobs of an earlier process, then works until `stop`. */
  async start(): Promise<void> {
    if (this.#state !== "new") throw new TypeError("Cannot start a job runner twice");
    this.#state = "started";
    // On SQLite this process has the database alone, so other workers are gone.
    const all = this.#queue.read.dialect === "sqlite";
    await this.#recover({ all, owner: this.options.worker?.earlierId });
    this.#every(this.options.pollMs ?? defaultPollMs, async () => this.wake());
    this.#every(this.#leaseMs / 3, () => this.#heartbeat());
    this.#every(this.#leaseMs / 2, () => this.#sweep());
    this.wake();
  }

  /**
   * Claims no further jobs, lets running ones end, aborts them shortly before the timeout, and
   * returns the rest to the queue.
   */
  async stop(timeoutMs = 10_000): Promise<void> {
    if (this.#state !== "started") return;
    this.#state = "stopping";
    // Heartbeats continue, so that running jobs keep their leases.
    await this.#look;
    const ended = Promise.all(this.#running.values());
    await within(timeoutMs - abortGraceMs, ended, undefined);
    for (const running of this.#running.keys())
      running.abort(new ShutdownError("The platform is shutting down"));
    await within(Math.min(timeoutMs, abortGraceMs), ended, undefined);
    for (const timer of this.#timers.splice(0)) clearInterval(timer);
    await Promise.all([...this.#running.keys()].map((running) => this.#returnToQueue(running)));
    this.#changes.close();
    this.#state = "stopped";
  }

  /** Looks for due jobs now. Call it after the commit of a transaction that enqueues a job. */
  wake(): void {
    if (this.#state !== "started") return;
    this.#isWoken = true;
    this.#look ??= keptPromise(
      this.#claimAll().finally(() => {
        this.#look = undefined;
      }),
    );
  }

  /** Undefined for an unknown job; `changed` is false when it has already ended. */
  async cancel(tx: Transaction, key: JobKey): Promise<JobChange> {
    const now = this.options.now();
    const change = await cancelJob(tx, key, { expiresAt: this.#expiry(now), now });
    if (change?.changed !== true) return change;
    tx.afterCommit(() => {
      for (const running of this.#running.keys()) {
        if (isSame(running.job, key)) running.abort(new JobLeaseLostError("The job was cancelled"));
      }
      this.#changes.emit(key);
    });
    return change;
  }

  /** Aborts the running jobs of a workspace whose jobs are being removed. */
  abandon(workspaceId: string): void {
    for (const running of this.#running.keys()) {
      if (running.job.workspaceId !== workspaceId) continue;
      running.abort(new JobLeaseLostError("The job's workspace is purged"));
    }
  }

  /** Queues a failed, cancelled or incomplete job again. */
  async retry(tx: Transaction, key: JobKey): Promise<JobChange> {
    const change = await retryJob(tx, key, { now: this.options.now() });
    if (change?.changed !== true) return change;
    tx.afterCommit(() => {
      this.#changes.emit(key);
      this.wake();
    });
    return change;
  }

  /**
   * Calls `listener` after each committed change, at least once; returns the unsubscribe function.
   */
  onChange(key: JobKey, listener: () => void): () => void {
    return this.#changes.listen(key, listener);
  }

  #every(intervalMs: number, work: () => Promise<void>): void {
    let isBusy = false;
    const timer = setInterval(() => {
      if (isBusy) return;
      isBusy = true;
      const run = this.#guard(work).finally(() => {
        isBusy = false;
      });
      run.catch(() => {});
    }, intervalMs);
    timer.unref();
    this.#timers.push(timer);
  }

  /** Claims until no job is due or all slots are used; a wake-up meanwhile makes it look again. */
  async #claimAll(): Promise<void> {
    while (this.#isWoken && this.#state === "started") {
      this.#isWoken = false;
      await this.#guard(async () => {
        const { concurrency, now } = this.options;
        const free = concurrency - this.#running.size;
        if (free <= 0 || !(await areJobsDue(this.#queue.read, this.#kinds, now()))) return;
        const claim = {
          kinds: this.#kinds,
          // One by one: a claim prefers workspaces by the jobs that run before it.
          limit: 1,
          leaseMs: this.#leaseMs,
          owner: this.options.worker?.id,
          now: now(),
        };
        const jobs = await this.#queue.write((tx) => claimJobs(tx, claim));
        for (const job of jobs) this.#run(job);
        if (jobs.length > 0) this.#isWoken = true;
      });
    }
  }

  #run(job: Job): void {
    const running = new RunningJob(job, {
      work: this.#queue.within(job.workspaceId),
      now: this.options.now,
      onSaved: () => this.#changes.emit(job),
    });
    this.#changes.emit(job);
    const work = this.#guard(() => this.#work(running), job).finally(() => {
      this.#running.delete(running);
      this.wake();
    });
    this.#running.set(running, keptPromise(work));
  }

  async #work(running: RunningJob): Promise<void> {
    const { job } = running;
    const work = this.options.kinds[job.kind];
    if (work === undefined) throw new TypeError(`Unknown kind of job: "${job.kind}"`);
    let outcome: JobOutcome | undefined;
    let thrown: { readonly error: unknown } | undefined;
    try {
      outcome = (await work(job, running)) ?? { state: "succeeded" };
    } catch (error) {
      thrown = { error };
    }
    await running.end();
    const reason: unknown = running.signal.reason;
    // Cancelled, or taken by another worker, which saves the outcome.
    if (reason instanceof JobLeaseLostError) return;
    if (outcome === undefined && reason instanceof ShutdownError) {
      await this.#returnToQueue(running);
    } else {
      if (outcome === undefined && !isExpected(thrown?.error)) {
        this.options.onError?.(thrown?.error, job);
      }
      await this.#saved(() =>
        outcome === undefined ? this.#fail(running, thrown?.error) : this.#finish(running, outcome),
      );
    }
    this.#changes.emit(job);
  }

  /** Repeats the save of a job's end while the storage is away; the job keeps its lease. */
  async #saved(save: () => Promise<void>): Promise<void> {
    for (let pauseMs = firstSavePauseMs; ; pauseMs = Math.min(2 * pauseMs, longestSavePauseMs)) {
      try {
        return await save();
      } catch (error) {
        if (!isStorageAway(error) || this.#state !== "started") throw error;
      }
      await Bun.sleep(pauseMs);
    }
  }

  async #finish(
    running: RunningJob,
    { state, error }: { readonly state: JobOutcome["state"] | "failed"; readonly error?: JobError },
  ): Promise<void> {
    const now = this.options.now();
    const isFailed = state === "failed" && error !== undefined;
    await this.#queue.write((tx) =>
      finishJob(tx, running.job, {
        state,
        error,
        stages: isFailed ? running.failedStages(error) : running.stages,
        counts: running.counts,
        expiresAt: this.#expiry(now, running.job.kind),
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
    const pauseMs = error instanceof JobLaterError ? error.delayMs : undefined;
    const shown = shownError(error);
    const now = this.options.now();
    const { retentionMs = defaultRetentionMs } = this.options;
    const isYoung = now.getTime() - Date.parse(job.createdAt) < retentionMs;
    const isAway = pauseMs !== undefined || (isStorageAway(error) && isYoung);
    const pause = pauseMs ?? (isAway ? awayPauseMs : backoffMs)(job.attempt);
    if (!isAway && job.attempt >= job.maxAttempts) {
      return this.#finish(running, { state: "failed", error: shown });
    }
    await this.#queue.write((tx) =>
      returnJob(tx, job, {
        state: "queued",
        stages: running.stages,
        runAt: new Date(now.getTime() + pause),
        countsAttempt: !isAway,
        error: pauseMs === undefined ? shown : null,
        now,
      }),
    );
  }

  async #returnToQueue(running: RunningJob): Promise<void> {
    const now = this.options.now();
    await this.#guard(async () => {
      await this.#queue.write((tx) =>
        returnJob(tx, running.job, {
          state: "interrupted",
          stages: running.stages,
          runAt: now,
          countsAttempt: false,
          now,
        }),
      );
    }, running.job);
    running.abort(new JobLeaseLostError("The job was returned to the queue"));
  }

  async #heartbeat(): Promise<void> {
    const all = [...this.#running.keys()];
    if (all.length === 0) return;
    const leases = all.map((running) => running.job);
    const lease = { leaseMs: this.#leaseMs, now: this.options.now() };
    const held = await this.#queue.write((tx) => heartbeatJobs(tx, leases, lease));
    for (const running of all) {
      if (held.has(running.job.id) || !this.#running.has(running)) continue;
      running.abort(new JobLeaseLostError("The job was cancelled, or another worker has it"));
    }
  }

  async #sweep(): Promise<void> {
    // Leases that ended while the storage was away still belong to their jobs.
    await this.#heartbeat();
    await this.#recover({ all: false });
    this.wake();
    const sweep = { now: this.options.now(), limit: sweepLimit };
    await this.#queue.write((tx) => removeExpiredJobs(tx, sweep));
  }

  async #recover(which: { readonly all: boolean; readonly owner?: string | undefined }) {
    for (;;) {
      const now = this.options.now();
      const recovery = { ...which, limit: sweepLimit, expiresAt: this.#expiry(now), now };
      const jobs = await this.#queue.write((tx) => recoverInterruptedJobs(tx, recovery));
      for (const job of jobs) this.#changes.emit(job);
      if (jobs.length < sweepLimit) return;
    }
  }

  /** An error ends one step, not the runner: the next poll tries again. */
  async #guard(work: () => Promise<void>, job?: Job): Promise<void> {
    try {
      await work();
    } catch (error) {
      // After `stop` the job is back in the queue, and the database may be closed.
      if (this.#state !== "stopped") this.options.onError?.(error, job);
    }
  }

  #expiry(now: Date, kind = ""): Date {
    const { retentionMs = defaultRetentionMs, retentionsMs = {} } = this.options;
    return new Date(now.getTime() + (retentionsMs[kind] ?? retentionMs));
  }
}

/** The error that a job's owner sees after an unexpected failure; the log has the details. */
export function shownError(error: unknown): JobError {
  if (error instanceof StorageFullError) {
    return { code: "storage-full", message: "There was no space left." };
  }
  if (error instanceof StorageError) {
    return { code: "storage-unavailable", message: `${error.part} ${error.conduct}.` };
  }
  return { code: "internal", message: "The job failed unexpectedly." };
}

/** The reason that aborts running jobs when the platform shuts down. */
class ShutdownError extends Error {
  override readonly name = "ShutdownError";
}

function isSame(a: JobKey, b: JobKey): boolean {
  return a.workspaceId === b.workspaceId && a.id === b.id;
}
