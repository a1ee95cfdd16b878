import type { JobStatus, StageStatus } from "#contract/documents/jobs.ts";
import { jsonText } from "../database/dialect.ts";
import { raw, statement, type Statement } from "../database/statement.ts";

/** Why a job or a stage failed, as its owner sees it. */
export interface JobError {
  readonly code?: string;
  readonly message: string;
}

export interface StageCounts {
  readonly succeeded: number;
  readonly failed: number;
}

export interface JobStage {
  readonly name: string;
  readonly status: StageStatus;
  /** The attempt in which it last ran; 0 before the first. */
  readonly attempt: number;
  readonly progress: {
    readonly done: number;
    readonly total: number | null;
    readonly unit: string;
  } | null;
  /** Items that this stage has processed; null for a stage without items. */
  readonly counts: StageCounts | null;
  readonly startedAt: string | null;
  readonly finishedAt: string | null;
  readonly error: JobError | null;
}

/** A stored job; times are RFC 3339. */
export interface Job {
  readonly id: string;
  readonly workspaceId: string;
  readonly kind: string;
  /** The JSON of `enqueueJob`; its shape depends on the kind. */
  readonly payload: unknown;
  readonly state: JobStatus;
  readonly attempt: number;
  readonly maxAttempts: number;
  readonly runAt: string;
  readonly leaseUntil: string | null;
  readonly stages: readonly JobStage[];
  /** A number from 0 to 100. */
  readonly percentCompleted: number;
  readonly counts: Readonly<Record<string, number>>;
  readonly error: JobError | null;
  readonly revision: number;
  readonly createdBy: string;
  readonly createdAt: string;
  readonly updatedAt: string;
  /** When the job may be removed; null until it has ended. */
  readonly expiresAt: string | null;
}

export interface JobKey {
  readonly workspaceId: string;
  readonly id: string;
}

/** One worker's hold on a job: each attempt has a new lease. */
export interface JobLease extends JobKey {
  readonly attempt: number;
}

/** A row of {@link jobColumns}: the JSON columns are text. */
export interface JobRow extends Omit<Job, "payload" | "stages" | "counts" | "error"> {
  readonly payload: string;
  readonly stages: string;
  readonly counts: string;
  readonly error: string | null;
}

export const jobColumns: Statement = statement`${raw(
  'id, workspace_id as "workspaceId", kind, state, attempt, max_attempts as "maxAttempts", ' +
    'run_at as "runAt", lease_until as "leaseUntil", percent_completed as "percentCompleted", ' +
    'revision, created_by as "createdBy", created_at as "createdAt", updated_at as "updatedAt", ' +
    'expires_at as "expiresAt"',
)}, ${jsonText("payload")} as payload, ${jsonText("stages")} as stages,
  ${jsonText("counts")} as counts, ${jsonText<string | null>("error")} as error`;

export function jobOfRow(row: JobRow): Job {
  return {
    ...row,
    payload: JSON.parse(row.payload),
    // Only this store writes these columns, from these types.
    stages: JSON.parse(row.stages) as JobStage[],
    counts: JSON.parse(row.counts) as Record<string, number>,
    error: row.error === null ? null : (JSON.parse(row.error) as JobError),
  };
}

export function newStage(name: string): JobStage {
  return {
    name,
    status: "pending",
    attempt: 0,
    progress: null,
    counts: null,
    startedAt: null,
    finishedAt: null,
    error: null,
  };
}

/**
 * Resets the stages from the first one that did not succeed: what failed there, later stages have
 * not seen. A skipped stage is looked at again.
 */
export function resumedStages(stages: readonly JobStage[]): JobStage[] {
  const open = stages.findIndex(({ status }) => status !== "succeeded" && status !== "skipped");
  return stages.map((stage, index) =>
    stage.status === "succeeded" && (open < 0 || index < open)
      ? stage
      : { ...newStage(stage.name), attempt: stage.attempt, startedAt: stage.startedAt },
  );
}

/** A failed stage is where its job has ended. */
const settledStages: ReadonlySet<StageStatus> = new Set([
  "succeeded",
  "completed_with_errors",
  "skipped",
]);

/** 0 to 100: each stage has the same weight. A job without stages stays at 0 until it ends. */
export function percentOfStages(stages: readonly JobStage[]): number {
  if (stages.length === 0) return 0;
  const parts = stages.map(({ status, progress }) => {
    if (settledStages.has(status)) return 1;
    if (status !== "running" || progress === null || !progress.total) return 0;
    return Math.min(1, progress.done / progress.total);
  });
  return Math.floor((100 * parts.reduce((sum, part) => sum + part, 0)) / stages.length);
}
