import type { Shown } from "#cli/shown.ts";
import { readJob, stateWord, trackedState, type JobOutcome } from "#lib/job-outcome.ts";
import type { DocumentJob, JobStage } from "#contract/documents/jobs.ts";
import type { CommandContext } from "../kit/context.ts";
import { otherFields } from "../kit/output/rows.ts";

const stageGlyphs: Readonly<Record<string, string>> = {
  succeeded: "✓",
  failed: "✗",
  running: "▶",
  completed_with_errors: "!",
  skipped: "–",
  pending: "·",
  queued: "·",
};

function stageText(stage: JobStage): string {
  const { name, progress, counts } = stage;
  const word = stateWord(stage);
  const state = trackedState(word) ?? "";
  const count = state === "running" && progress ? ` ${progress.done}/${progress.total ?? "?"}` : "";
  const failed =
    counts?.failed === undefined || counts.failed === 0 ? "" : ` ${counts.failed} failed`;
  return `${name} ${stageGlyphs[state] ?? word ?? "?"}${count}${failed}`;
}

/** A job's state and stages in one line. */
export function progressText(job: DocumentJob): string {
  return `${stateWord(job) ?? ""}  ${stagesText(job)}`;
}

function stagesText(job: DocumentJob): string {
  return (job.stages ?? []).map(stageText).join("  ");
}

/** A job with its stages, one field per line. */
export function jobLines({ output }: CommandContext, job: DocumentJob): Shown[] {
  const failed = (job.stages ?? []).filter((stage) => stage.error?.message !== undefined);
  return output.fields([
    ["job", job.jobId],
    ["status", stateWord(job)],
    ["percent", job.percentCompleted?.toString()],
    ["stages", stagesText(job)],
    ["documents", job.documentIds?.join(", ") ?? job.documentId ?? undefined],
    ["error", job.error?.message],
    ...failed.map((stage): [string, string] => [
      `error in ${stage.name}`,
      stage.error?.message ?? "",
    ]),
    ...otherFields(job, jobNames),
  ]);
}

const jobNames = [
  "jobId",
  "status",
  "percentCompleted",
  "documentId",
  "documentIds",
  "documents",
  "stages",
  "counts",
  "error",
  "createdAt",
  "updatedAt",
  "expiresAt",
];

/** Why a wait ended without success. */
export function endWords(job: DocumentJob, outcome: JobOutcome, timeoutSeconds: number): string {
  const { word, state, isActive, failedStages } = readJob(job);
  if (outcome === "pending") {
    if (isActive) return `Still ${word} after ${timeoutSeconds} s; the job continues`;
    const unknown =
      word === undefined ? "The job names no state" : `The job's state "${word}" is not known`;
    return `${unknown}; no known end came within ${timeoutSeconds} s`;
  }
  const failed = failedStages
    .map((stage) => stage.name || `stage ${(job.stages ?? []).indexOf(stage) + 1}`)
    .join(", ");
  const end =
    state === undefined || isActive
      ? `The job is ${word === undefined ? "in no named state" : `"${word}"`}`
      : `The job ended as ${word}`;
  if (failed !== "") return `${end}; failed: ${failed}`;
  return state === "succeeded" ? `${end}; a stage of it did not succeed` : end;
}
