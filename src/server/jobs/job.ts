import type { JobStatus, StageStatus } from "#contract/documents/jobs.ts";
import { jsonText } from "../database/dialect.ts";
import { raw, statement } from "../database/statement.ts";
import type { Statement } from "../database/statement.ts";

/** Why a job or a stage failed, in words for its owner; `code` is the problem's own. */
export interface JobError {
  readonly code?: string;
  readonly message: string;
}

export interface JobStage {
  readonly name: string;
  readonly status: StageStatus;
  /** The job's attempt in which it last ran; 0 when it never did. */
  readonly attempt: number;
  readonly progress: {
    readonly done: number;
    readonly total: number | null;
    readonly unit: string;
  } | null;
  readonly startedAt: string | null;
  readonly finishedAt: string | null;
  readonly error: JobError | null;
}

/** A job as it stands in the database; times are RFC 3339. */
export interface Job {
  readonly id: string;
  readonly workspaceId: string;
  readonly kind: string;
  /** JSON, as it was given to `enqueueJob`; its kind knows the shape. */
  readonly payload: unknown;
  readonly state: JobStatus;
  readonly attempt: number;
  readonly maxAttempts: number;
  readonly runAt: string;
  readonly leaseUntil: string | null;
  readonly stages: readonly JobStage[];
  /** 0 to 100. */
  readonly percentCompleted: number;
  readonly counts: Readonly<Record<string, number>>;
  readonly error: JobError | null;
  readonly revision: number;
  readonly createdBy: string;
  readonly createdAt: string;
  readonly updatedAt: string;
  /** When the tracker may go; null until the job is done. */
  readonly expiresAt: string | null;
}

export interface JobKey {
  readonly workspaceId: string;
  readonly id: string;
}

/** One worker's hold on a job. A save under a lease that has passed to another changes nothing. */
export interface JobLease extends JobKey {
  readonly attempt: number;
}

/** What `jobColumns` gives. */
export interface JobRow {
  readonly id: string;
  readonly workspace_id: string;
  readonly kind: string;
  readonly state: JobStatus;
  readonly attempt: number;
  readonly max_attempts: number;
  readonly run_at: string;
  readonly lease_until: string | null;
  readonly payload: string;
  readonly stages: string;
  readonly percent_completed: number;
  readonly counts: string;
  readonly error: string | null;
  readonly revision: number;
  readonly created_by: string;
  readonly created_at: string;
  readonly updated_at: string;
  readonly expires_at: string | null;
}

/** After `select` and after `returning`. */
export const jobColumns: Statement = statement`${raw(
  "id, workspace_id, kind, state, attempt, max_attempts, run_at, lease_until, percent_completed, " +
    "revision, created_by, created_at, updated_at, expires_at",
)}, ${jsonText("payload")} as payload, ${jsonText("stages")} as stages,
  ${jsonText("counts")} as counts, ${jsonText<string | null>("error")} as error`;

export function jobOfRow(row: JobRow): Job {
  return {
    id: row.id,
    workspaceId: row.workspace_id,
    kind: row.kind,
    payload: JSON.parse(row.payload),
    state: row.state,
    attempt: row.attempt,
    maxAttempts: row.max_attempts,
    runAt: row.run_at,
    leaseUntil: row.lease_until,
    // Only this store writes these three columns, from these very types.
    stages: JSON.parse(row.stages) as JobStage[],
    percentCompleted: row.percent_completed,
    counts: JSON.parse(row.counts) as Record<string, number>,
    error: row.error === null ? null : (JSON.parse(row.error) as JobError),
    revision: row.revision,
    createdBy: row.created_by,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    expiresAt: row.expires_at,
  };
}

export function newStage(name: string): JobStage {
  return {
    name,
    status: "pending",
    attempt: 0,
    progress: null,
    startedAt: null,
    finishedAt: null,
    error: null,
  };
}

/** Stages that did not succeed go back to the start; those that did are not run again. */
export function resumedStages(stages: readonly JobStage[]): JobStage[] {
  return stages.map((stage) =>
    stage.status === "succeeded"
      ? stage
      : { ...newStage(stage.name), attempt: stage.attempt, startedAt: stage.startedAt },
  );
}

/** 0 to 100, each stage counting the same; a job with no stages is at 0 until it is done. */
export function percentOfStages(stages: readonly JobStage[]): number {
  if (stages.length === 0) return 0;
  const parts = stages.map(({ status, progress }) => {
    if (status === "succeeded" || status === "skipped") return 1;
    if (status !== "running" || progress === null || !progress.total) return 0;
    return Math.min(1, progress.done / progress.total);
  });
  return Math.floor((100 * parts.reduce((sum, part) => sum + part, 0)) / stages.length);
}
