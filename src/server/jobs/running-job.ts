import type { Transaction, Work } from "../work/work.ts";
import { holdsJob, saveJobProgress } from "./store.ts";
import type { Job, JobError, JobStage, StageCounts } from "./job.ts";
import { keptPromise } from "../kit/background.ts";

/** Ends the job as `failed`, with this code and message for its owner; there is no retry. */
export class JobFailedError extends Error {
  override readonly name = "JobFailedError";
  constructor(
    message: string,
    readonly code: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** Returns the job to the queue for a while; the attempt does not count. */
export class JobLaterError extends Error {
  override readonly name = "JobLaterError";
  constructor(readonly delayMs: number) {
    super(`The job starts again in ${delayMs} ms`);
  }
}

/** True for an error with which a job says how it goes on, which no log needs. */
export function isExpected(error: unknown): boolean {
  return error instanceof JobFailedError || error instanceof JobLaterError;
}

/** The job was cancelled, or another worker has it: saves under this lease fail. */
export class JobLeaseLostError extends Error {
  override readonly name = "JobLeaseLostError";
}

export interface JobContext {
  /** The rows of the job's workspace. */
  readonly work: Work;
  /** Aborted when the job is cancelled, its lease is lost or the platform shuts down. */
  readonly signal: AbortSignal;
  /** The stages, with the results of earlier attempts. */
  readonly stages: readonly JobStage[];
  /** Runs one stage and saves its status, unless it succeeded in an earlier attempt. */
  runStage(name: string, work: (stage: StageRun) => Promise<void>): Promise<void>;
  /** A transaction that commits only while this worker holds the job. */
  write<T>(unit: (tx: Transaction) => Promise<T>): Promise<T>;
  /** Saved with the next save: `{ documents: 3, failed: 1 }`. */
  setCounts(counts: Readonly<Record<string, number>>): void;
}

export interface StageRun {
  /** Saved at most four times per second. */
  progress(done: number, total: number | null, unit: string): void;
  /** The stage does not apply. Return after this call. */
  skip(): Promise<void>;
  /** Saved with the next save of the stage. */
  setCounts(counts: StageCounts): void;
  /** Some items failed, and the job continues with the others. Return after this call. */
  completeWithErrors(error: JobError): Promise<void>;
}

const progressIntervalMs = 250;

/** One claimed job in this process, which saves its stages one after the other. */
export class RunningJob implements JobContext {
  readonly #controller = new AbortController();
  #stages: JobStage[];
  #counts: Readonly<Record<string, number>> | undefined;
  #saves: Promise<unknown> = Promise.resolve();
  #progressTimer: ReturnType<typeof setTimeout> | undefined;
  #hasEnded = false;

  constructor(
    readonly job: Job,
    private readonly parts: {
      readonly work: Work;
      readonly now: () => Date;
      readonly onSaved: () => void;
    },
  ) {
    this.#stages = [...job.stages];
  }

  get work(): Work {
    return this.parts.work;
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  get stages(): readonly JobStage[] {
    return this.#stages;
  }

  get counts(): Readonly<Record<string, number>> | undefined {
    return this.#counts;
  }

  abort(reason: Error): void {
    this.#controller.abort(reason);
  }

  setCounts(counts: Readonly<Record<string, number>>): void {
    this.#counts = { ...counts };
  }

  write<T>(unit: (tx: Transaction) => Promise<T>): Promise<T> {
    return this.#inOrder(() =>
      this.work.write(async (tx) => {
        if (!(await holdsJob(tx, this.job))) throw this.#leaseLost();
        return unit(tx);
      }),
    );
  }

  async runStage(name: string, work: (stage: StageRun) => Promise<void>): Promise<void> {
    if (this.#stage(name).status === "succeeded") return;
    this.signal.throwIfAborted();
    await this.#save(name, {
      status: "running",
      attempt: this.job.attempt,
      startedAt: this.#time(),
      finishedAt: null,
      progress: null,
      counts: null,
      error: null,
    });
    let isSettled = false;
    const settle = async (change: Partial<JobStage>): Promise<void> => {
      if (isSettled) throw new TypeError(`Cannot end the stage "${name}" twice`);
      isSettled = true;
      await this.#save(name, { ...change, finishedAt: this.#time() });
    };
    await work({
      progress: (done, total, unit) => {
        if (!isSettled) this.#noteProgress(name, { done, total, unit });
      },
      skip: () => settle({ status: "skipped" }),
      setCounts: (counts) => this.#change(name, { counts }),
      completeWithErrors: (error) => settle({ status: "completed_with_errors", error }),
    });
    if (!isSettled) await settle({ status: "succeeded" });
  }

  /** The stages of a failed job: the running stage has the error. */
  failedStages(error: JobError): JobStage[] {
    const finishedAt = this.#time();
    return this.#stages.map((stage) =>
      stage.status === "running" ? { ...stage, status: "failed", error, finishedAt } : stage,
    );
  }

  /** Waits for the running saves; none follows. */
  async end(): Promise<void> {
    this.#hasEnded = true;
    clearTimeout(this.#progressTimer);
    await this.#saves;
  }

  #stage(name: string): JobStage {
    const stage = this.#stages.find((candidate) => candidate.name === name);
    if (stage === undefined) throw new TypeError(`The job has no stage "${name}"`);
    return stage;
  }

  #change(name: string, change: Partial<JobStage>): void {
    const stage = this.#stage(name);
    this.#stages = this.#stages.map((each) => (each === stage ? { ...stage, ...change } : each));
  }

  #noteProgress(name: string, progress: NonNullable<JobStage["progress"]>): void {
    if (this.#hasEnded) return;
    this.#change(name, { progress });
    this.#progressTimer ??= setTimeout(() => {
      this.#progressTimer = undefined;
      // The next save of the stage has the same progress, and reports its error.
      this.#inOrder(() => this.#saveStages()).catch(() => {});
    }, progressIntervalMs);
  }

  /** Changes the stage here after the commit: a stage whose save fails has not ended. */
  async #save(name: string, change: Partial<JobStage>): Promise<void> {
    clearTimeout(this.#progressTimer);
    this.#progressTimer = undefined;
    await this.#inOrder(() => this.#saveStages({ name, change }));
  }

  async #saveStages(step?: {
    readonly name: string;
    readonly change: Partial<JobStage>;
  }): Promise<void> {
    const stages = this.#stages.map((stage) =>
      stage.name === step?.name ? { ...stage, ...step.change } : stage,
    );
    await this.work.write(async (tx) => {
      const progress = { stages, counts: this.#counts, now: this.parts.now() };
      if (!(await saveJobProgress(tx, this.job, progress))) throw this.#leaseLost();
    });
    if (step !== undefined) this.#change(step.name, step.change);
    this.parts.onSaved();
  }

  /** Saves run one after the other, in the order of the calls. */
  #inOrder<T>(save: () => Promise<T>): Promise<T> {
    const saved = this.#saves.then(save);
    this.#saves = keptPromise(saved.catch(() => {}));
    return saved;
  }

  #leaseLost(): JobLeaseLostError {
    const error = new JobLeaseLostError(`This worker no longer holds job ${this.job.id}`);
    this.abort(error);
    return error;
  }

  #time(): string {
    return this.parts.now().toISOString();
  }
}

/** The pause before the next attempt: 2 s, 8 s, then 30 s: the storage may be back at any time. */
export function awayPauseMs(attempt: number): number {
  return Math.min(30_000, backoffMs(attempt));
}

/** The pause before the next attempt: 2 s, 8 s, 32 s, 2 min, then 5 min. */
export function backoffMs(attempt: number): number {
  return Math.min(300_000, 2_000 * 4 ** (attempt - 1));
}
