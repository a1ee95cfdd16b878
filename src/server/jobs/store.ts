import type { JobStatus } from "#contract/documents/jobs.ts";
import type { Reader, Writer } from "../database/database.ts";
import { forUpdate, jsonValue, skipLocked } from "../database/dialect.ts";
import { join, nothing, statement, type Statement } from "../database/statement.ts";
import type { Transaction } from "../work/work.ts";
import { reportJob } from "./job-events.ts";
import { jobColumns, jobOfRow, newStage, percentOfStages, resumedStages } from "./job.ts";
import type { Job, JobError, JobKey, JobLease, JobRow, JobStage } from "./job.ts";

export type { Job, JobError, JobKey, JobLease, JobStage } from "./job.ts";

export interface NewJob {
  readonly workspaceId: string;
  readonly kind: string;
  readonly payload: unknown;
  readonly stages: readonly string[];
  readonly createdBy: string;
  /** The id; default a new UUIDv7. */
  readonly id?: string;
  /** Attempts before the job fails. Default 5. */
  readonly maxAttempts?: number;
  /** The earliest start. Default now. */
  readonly runAt?: Date;
}

/** Enqueue a job in the transaction that creates its data. */
export async function enqueueJob(tx: Transaction, job: NewJob, now: Date): Promise<Job> {
  const time = now.toISOString();
  const row = await tx.first<JobRow>(statement`insert into jobs (
      workspace_id, id, kind, state, attempt, max_attempts, run_at, payload, stages,
      percent_completed, counts, revision, created_by, created_at, updated_at
    ) values (
      ${job.workspaceId}, ${job.id ?? Bun.randomUUIDv7()}, ${job.kind}, 'queued', 0,
      ${job.maxAttempts ?? 5}, ${(job.runAt ?? now).toISOString()}, ${jsonValue(job.payload)},
      ${jsonValue(job.stages.map(newStage))}, 0, ${jsonValue({})}, 1, ${job.createdBy}, ${time},
      ${time}
    ) returning ${jobColumns}`);
  const made = oneJob(row);
  reportJob(tx, made, "created");
  return made;
}

/** True if a job is due: a cheap read before the write of `claimJobs`. */
export async function areJobsDue(
  reader: Reader,
  kinds: readonly string[],
  now: Date,
): Promise<boolean> {
  if (kinds.length === 0) return false;
  const row = await reader.first(statement`select 1 as due from jobs
    where state in ('queued', 'interrupted') and run_at <= ${now.toISOString()}
      and kind in (${join(kinds)})
    limit 1`);
  return row !== undefined;
}

/** How many jobs are in each state that has not ended, where there is one. */
export function countJobs(
  reader: Reader,
): Promise<{ readonly state: JobStatus; readonly jobs: number }[]> {
  // Two parts, of which each reads one partial index.
  return reader.all(statement`select state, count(*) as jobs from jobs
      where state in ('queued', 'interrupted') group by state
    union all
    select state, count(*) as jobs from jobs where state = 'running' group by state`);
}

export interface JobClaim {
  readonly kinds: readonly string[];
  /** The most jobs to take, 1 or more. */
  readonly limit: number;
  readonly leaseMs: number;
  /** Names the worker's process; see {@link recoverInterruptedJobs}. */
  readonly owner?: string | undefined;
  readonly now: Date;
}

/**
 * Takes up to `limit` due jobs, oldest first, each with a lease of this worker alone. Jobs of
 * workspaces without a running one come first, so that a long queue does not delay the others.
 */
export async function claimJobs(tx: Transaction, claim: JobClaim): Promise<Job[]> {
  if (claim.kinds.length === 0) return [];
  const time = claim.now.toISOString();
  const isWaiting = statement`state in ('queued', 'interrupted')`;
  const isDue = statement`${isWaiting} and run_at <= ${time} and kind in (${join(claim.kinds)})`;
  // The recursion reads one index entry of each waiting workspace, not all of a long queue.
  // Materialized: PostgreSQL may run a plain subquery twice, and lock more than the limit.
  const rows = await tx.all<JobRow>(statement`with recursive waiting (workspace_id) as (
      select min(workspace_id) from jobs where ${isWaiting}
      union all
      select (select min(workspace_id) from jobs
        where ${isWaiting} and workspace_id > waiting.workspace_id)
      from waiting where waiting.workspace_id is not null
    ), idle as materialized (
      select workspace_id from waiting
      where workspace_id not in (select workspace_id from jobs where state = 'running')
        and exists (select 1 from jobs
          where jobs.workspace_id = waiting.workspace_id and ${isDue})
    ), due as materialized (
      select workspace_id, id from jobs
      where ${isDue} and (workspace_id in (select workspace_id from idle)
        or not exists (select 1 from idle))
      order by run_at, id limit ${claim.limit} ${skipLocked}
    )
    update jobs
    set state = 'running', attempt = attempt + 1, lease_until = ${leaseEnd(claim)},
      claimed_by = ${claim.owner ?? null}, updated_at = ${time}, revision = revision + 1
    where (workspace_id, id) in (select workspace_id, id from due)
    returning ${jobColumns}`);
  const jobs = rows.map(jobOfRow);
  for (const job of jobs) reportJob(tx, job);
  return jobs.toSorted((a, b) => compare(a.runAt, b.runAt) || compare(a.id, b.id));
}

/** Extends leases; returns the ids of jobs that the worker still holds. */
export async function heartbeatJobs(
  writer: Writer,
  leases: readonly JobLease[],
  { leaseMs, now }: { readonly leaseMs: number; readonly now: Date },
): Promise<ReadonlySet<string>> {
  const held = new Set<string>();
  for (const lease of leases) {
    const extended = statement`lease_until = ${leaseEnd({ leaseMs, now })}`;
    if (await changeHeld(writer, lease, extended)) held.add(lease.id);
  }
  return held;
}

/** False, without a change, when the lease was lost or the job was cancelled. */
export async function saveJobProgress(
  tx: Transaction,
  lease: JobLease,
  { stages, counts, now }: JobProgress,
): Promise<boolean> {
  return changeState(
    tx,
    lease,
    statement`stages = ${jsonValue(stages)}, percent_completed = ${percentOfStages(stages)},
      ${counts === undefined ? nothing : statement`counts = ${jsonValue(counts)},`}
      ${touched(now)}`,
  );
}

export interface JobProgress {
  readonly stages: readonly JobStage[];
  /** The counts, which stay as they are when missing. */
  readonly counts?: Readonly<Record<string, number>> | undefined;
  readonly now: Date;
}

/** True if the lease is still held, and locks it for the transaction of a worker's write. */
export async function holdsJob(writer: Writer, lease: JobLease): Promise<boolean> {
  return changeHeld(writer, lease, statement`lease_until = lease_until`);
}

export interface JobEnd {
  readonly state: "succeeded" | "completed_with_errors" | "failed";
  readonly stages: readonly JobStage[];
  readonly counts?: Readonly<Record<string, number>> | undefined;
  readonly error?: JobError | null | undefined;
  readonly expiresAt: Date;
  readonly now: Date;
}

/** False, without a change, when the lease was lost or the job was cancelled. */
export async function finishJob(tx: Transaction, lease: JobLease, end: JobEnd): Promise<boolean> {
  const percent = end.state === "failed" ? percentOfStages(end.stages) : 100;
  return changeState(
    tx,
    lease,
    statement`state = ${end.state}, stages = ${jsonValue(end.stages)},
      percent_completed = ${percent},
      ${end.counts === undefined ? nothing : statement`counts = ${jsonValue(end.counts)},`}
      error = ${end.error ? jsonValue(end.error) : null}, lease_until = null,
      expires_at = ${end.expiresAt.toISOString()}, ${touched(end.now)}`,
  );
}

/**
 * Returns a job to the queue: after an unexpected failure (`queued`, with a delay), or when its
 * worker shuts down (`interrupted`, at once). An attempt that the job did not fail itself does not
 * count.
 */
export async function returnJob(
  tx: Transaction,
  lease: JobLease,
  options: {
    readonly state: "queued" | "interrupted";
    readonly stages: readonly JobStage[];
    readonly runAt: Date;
    readonly countsAttempt: boolean;
    readonly error?: JobError | null;
    readonly now: Date;
  },
): Promise<boolean> {
  const stages = resumedStages(options.stages);
  return changeState(
    tx,
    lease,
    statement`state = ${options.state}, stages = ${jsonValue(stages)},
      run_at = ${options.runAt.toISOString()}, percent_completed = ${percentOfStages(stages)},
      error = ${options.error ? jsonValue(options.error) : null}, lease_until = null,
      max_attempts = max_attempts + ${options.countsAttempt ? 0 : 1}, ${touched(options.now)}`,
  );
}

const cancellable: ReadonlySet<JobStatus> = new Set(["queued", "running", "interrupted"]);
const retryable: ReadonlySet<JobStatus> = new Set(["failed", "cancelled", "completed_with_errors"]);

/** Undefined for an unknown job; `changed` is false when the job's state does not allow it. */
export type JobChange = { readonly job: Job; readonly changed: boolean } | undefined;

/** Cancels a job that has not ended; its worker loses the lease. */
export async function cancelJob(
  tx: Transaction,
  key: JobKey,
  { expiresAt, now }: { readonly expiresAt: Date; readonly now: Date },
): Promise<JobChange> {
  const job = await getJobForUpdate(tx, key);
  if (job === undefined) return undefined;
  if (!cancellable.has(job.state)) return { job, changed: false };
  const stages = job.stages.map((stage): JobStage =>
    stage.status === "pending" || stage.status === "running"
      ? { ...stage, status: "skipped", finishedAt: stage.startedAt && now.toISOString() }
      : stage,
  );
  return changeJob(
    tx,
    key,
    statement`state = 'cancelled', stages = ${jsonValue(stages)}, lease_until = null,
      expires_at = ${expiresAt.toISOString()}, ${touched(now)}`,
  );
}

/** Queues a failed, cancelled or incomplete job again, from its last good stage. */
export async function retryJob(
  tx: Transaction,
  key: JobKey,
  { now, attempts = 5 }: { readonly now: Date; readonly attempts?: number },
): Promise<JobChange> {
  const job = await getJobForUpdate(tx, key);
  if (job === undefined) return undefined;
  if (!retryable.has(job.state)) return { job, changed: false };
  const stages = resumedStages(job.stages);
  return changeJob(
    tx,
    key,
    statement`state = 'queued', run_at = ${now.toISOString()}, error = null, expires_at = null,
      stages = ${jsonValue(stages)}, percent_completed = ${percentOfStages(stages)},
      max_attempts = attempt + ${attempts}, ${touched(now)}`,
  );
}

/**
 * Sets running jobs whose lease has expired to `interrupted`, or to `failed` after their last
 * attempt. `all`: every running job, for a process that has the database alone (SQLite, at start).
 * `owner`: also the jobs of this process, which is gone.
 */
export async function recoverInterruptedJobs(
  tx: Transaction,
  recovery: {
    readonly all: boolean;
    readonly owner?: string | undefined;
    readonly limit: number;
    readonly expiresAt: Date;
    readonly now: Date;
  },
): Promise<Job[]> {
  const { now, owner } = recovery;
  const isOwn = owner === undefined ? nothing : statement`or claimed_by = ${owner}`;
  const isLeft = statement`and (lease_until < ${now.toISOString()} ${isOwn})`;
  const rows = await tx.all<JobRow>(statement`select ${jobColumns} from jobs
    where state = 'running'
      ${recovery.all ? nothing : isLeft}
    order by lease_until limit ${recovery.limit} ${skipLocked}`);
  const recovered: Job[] = [];
  for (const job of rows.map(jobOfRow)) {
    const stages = resumedStages(job.stages);
    const isExhausted = job.attempt >= job.maxAttempts;
    const error: JobError = {
      code: "attempts-exhausted",
      message: `The job was interrupted ${job.attempt} times, and is not tried again.`,
    };
    const change = await changeJob(
      tx,
      job,
      isExhausted
        ? statement`state = 'failed', error = ${jsonValue(error)}, lease_until = null,
            stages = ${jsonValue(stages)}, expires_at = ${recovery.expiresAt.toISOString()},
            ${touched(now)}`
        : statement`state = 'interrupted', run_at = ${now.toISOString()}, lease_until = null,
            stages = ${jsonValue(stages)}, percent_completed = ${percentOfStages(stages)},
            ${touched(now)}`,
    );
    if (change !== undefined) recovered.push(change.job);
  }
  return recovered;
}

export async function getJob(reader: Reader, key: JobKey): Promise<Job | undefined> {
  const row = await reader.first<JobRow>(
    statement`select ${jobColumns} from jobs where ${isJob(key)}`,
  );
  return row === undefined ? undefined : jobOfRow(row);
}

export interface JobRevision extends JobKey {
  readonly revision: number;
}

/** A statement takes at most 65,535 parameters. */
const keysAtATime = 1_000;

/** The revisions of these jobs; jobs that no longer exist are left out. */
export async function jobRevisions(
  reader: Reader,
  keys: readonly JobKey[],
): Promise<JobRevision[]> {
  const revisions: JobRevision[] = [];
  for (let start = 0; start < keys.length; start += keysAtATime) {
    const pairs = keys
      .slice(start, start + keysAtATime)
      .map(({ workspaceId, id }) => statement`(${workspaceId}, ${id})`);
    const rows = await reader.all<JobRevision>(
      statement`select workspace_id as "workspaceId", id, revision from jobs
        where (workspace_id, id) in (${join(pairs)})`,
    );
    revisions.push(...rows);
  }
  return revisions;
}

export async function removeExpiredJobs(
  writer: Writer,
  { now, limit }: { readonly now: Date; readonly limit: number },
): Promise<number> {
  const { changedRows } = await writer.run(statement`with expired as materialized (
      select workspace_id, id from jobs where expires_at < ${now.toISOString()}
      order by expires_at limit ${limit} ${skipLocked}
    )
    delete from jobs where (workspace_id, id) in (select workspace_id, id from expired)`);
  return changedRows;
}

async function getJobForUpdate(writer: Writer, key: JobKey): Promise<Job | undefined> {
  const row = await writer.first<JobRow>(
    statement`select ${jobColumns} from jobs where ${isJob(key)} ${forUpdate}`,
  );
  return row === undefined ? undefined : jobOfRow(row);
}

/** False when the worker no longer holds the job. */
async function changeHeld(writer: Writer, lease: JobLease, changes: Statement): Promise<boolean> {
  const { changedRows } = await writer.run(statement`update jobs set ${changes}
    where ${isJob(lease)} and state = 'running' and attempt = ${lease.attempt}`);
  return changedRows === 1;
}

/** Changes a held job and reports its event; false when the worker has lost it. */
async function changeState(tx: Transaction, lease: JobLease, changes: Statement): Promise<boolean> {
  const row = await tx.first<JobRow>(statement`update jobs set ${changes}
    where ${isJob(lease)} and state = 'running' and attempt = ${lease.attempt}
    returning ${jobColumns}`);
  if (row === undefined) return false;
  reportJob(tx, jobOfRow(row));
  return true;
}

async function changeJob(tx: Transaction, key: JobKey, changes: Statement): Promise<JobChange> {
  const row = await tx.first<JobRow>(
    statement`update jobs set ${changes} where ${isJob(key)} returning ${jobColumns}`,
  );
  const job = oneJob(row);
  reportJob(tx, job);
  return { job, changed: true };
}

function oneJob(row: JobRow | undefined): Job {
  if (row === undefined) throw new Error("the database returned no row for a job it wrote");
  return jobOfRow(row);
}

function isJob({ workspaceId, id }: JobKey): Statement {
  return statement`workspace_id = ${workspaceId} and id = ${id}`;
}

function touched(now: Date): Statement {
  return statement`updated_at = ${now.toISOString()}, revision = revision + 1`;
}

function leaseEnd({ leaseMs, now }: { readonly leaseMs: number; readonly now: Date }): string {
  return new Date(now.getTime() + leaseMs).toISOString();
}

function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
