import type { DocumentJob, JobStage } from "#client/index.ts";
import { readJob, stateWord, trackedState } from "#lib/job-outcome.ts";
import { statusLook, statusWords, type StatusLook } from "../kit/theme/theme.ts";
import { timelineLines, type TimelineStep } from "../kit/text/timeline.ts";
import { fieldLines, type StyledLine } from "../kit/text/styled-lines.ts";
import { countWords, distanceWords } from "../kit/text/words.ts";

export function isActive(job: DocumentJob): boolean {
  const { outcome, isActive: goesOn } = readJob(job);
  return outcome === "pending" || goesOn;
}

/** The job's state as text of this client; undefined for one that is not known. */
export function jobState(job: DocumentJob): string | undefined {
  return isActive(job) ? readJob(job).state : readJob(job).outcome;
}

export function jobLook(job: DocumentJob): StatusLook {
  return statusLook(jobState(job) ?? "");
}

/** The platform's word for the state, unless a failed stage contradicts it. */
export function jobStateWords(job: DocumentJob): string {
  const { state, word } = readJob(job);
  const shown = isActive(job) || jobState(job) === state ? word : jobState(job);
  return statusWords(shown ?? "state not given");
}

function stageState(stage: JobStage): string | undefined {
  return trackedState(stateWord(stage));
}

function stageLook(stage: JobStage): StatusLook {
  return statusLook(stageState(stage) ?? "");
}

export function jobName(job: DocumentJob): string {
  const [first, ...rest] = job.documents ?? [];
  const name = first?.filename ?? first?.documentNumber ?? job.documentId ?? job.jobId;
  return rest.length === 0 ? name : `${name} and ${rest.length} more`;
}

/** Whether a job has extracted its document's text; `undefined` if its stages do not show that. */
export function hasReadText(job: DocumentJob): boolean | undefined {
  const stages = job.stages ?? [];
  const extract = stages.find(({ name }) => name === "extract");
  // The documents of one job may differ.
  if (extract === undefined || (job.documents ?? []).length > 1) return undefined;
  if (stageState(extract) !== "skipped") return stageState(extract) === "succeeded";
  // If a later stage ran, an earlier job extracted the text.
  const isOnlyStored = stages.every(
    (stage) => stage.name === "store" || stageState(stage) === "skipped",
  );
  return isOnlyStored ? false : undefined;
}

function progressWords(stage: JobStage): string {
  const { progress } = stage;
  if (stageState(stage) !== "running" || progress === undefined || progress === null) return "";
  const total = progress.total === null ? "" : `/${countWords(progress.total)}`;
  return ` ${countWords(progress.done)}${total}`;
}

function stageMark(stage: JobStage): string {
  return `${stageLook(stage).glyph}${stage.name}${progressWords(stage)}`;
}

/** All stages in one line: `✓store ✓extract ▶classify 3/12 ·index`. */
export function stageBar(job: DocumentJob): string {
  return (job.stages ?? []).map(stageMark).join(" ");
}

/** The same with the name of the current stage alone, else the last one: `✓✓ ▶classify 3/12 ··`. */
export function shortStageBar(job: DocumentJob): string {
  const stages = job.stages ?? [];
  const open = stages.findIndex(
    (stage) => !["succeeded", "skipped"].includes(stageState(stage) ?? ""),
  );
  const named = open < 0 ? stages.length - 1 : open;
  const signs = (some: readonly JobStage[]) => some.map((stage) => stageLook(stage).glyph).join("");
  return [
    signs(stages.slice(0, Math.max(0, named))),
    ...stages.slice(Math.max(0, named), named + 1).map(stageMark),
    signs(stages.slice(named + 1)),
  ]
    .filter((part) => part !== "")
    .join(" ");
}

/** The reason of the platform why a job or one of its stages failed. */
export function jobProblem(job: DocumentJob): string {
  if (job.error !== undefined && job.error !== null) return job.error.message;
  const failed = (job.stages ?? []).find((stage) => (stage.error ?? undefined) !== undefined);
  return failed?.error?.message ?? "";
}

function amountOf({ progress }: JobStage): Pick<TimelineStep, "amount"> {
  if (progress === undefined || progress === null) return {};
  return { amount: { done: progress.done, unit: progress.unit } };
}

/** The stages as a timeline. */
export function stageLines(job: DocumentJob, width: number, nowMs: number): StyledLine[] {
  const steps = (job.stages ?? []).map((stage): TimelineStep => {
    const look = stageLook(stage);
    const attempt = (stage.attempt ?? 1) > 1 ? `attempt ${stage.attempt}` : "";
    return {
      name: stage.name,
      glyph: look.glyph,
      as: look.token,
      words: `${statusWords(stateWord(stage) ?? "")}${progressWords(stage)}`,
      startedAt: stage.startedAt,
      finishedAt: stage.finishedAt,
      ...amountOf(stage),
      note: attempt,
      problem: stage.error?.message,
    };
  });
  return timelineLines(steps, width, nowMs);
}

function expiryWords({ expiresAt }: DocumentJob, nowMs: number): string {
  const at = expiresAt ?? "";
  return `${at}  ${distanceWords(at, nowMs)}`.trimEnd();
}

export function jobLines(job: DocumentJob, width: number, nowMs: number): StyledLine[] {
  const look = jobLook(job);
  const documents = (job.documents ?? [])
    .map((document) => document.documentNumber ?? document.documentId)
    .join(", ");
  const counts = Object.entries(job.counts ?? {}).map(([name, count]) => `${name} ${count}`);
  const share = job.percentCompleted === undefined ? "" : `  ${Math.round(job.percentCompleted)} %`;
  const problem = jobProblem(job);
  return fieldLines(
    [
      { name: "status", value: `${look.glyph} ${jobStateWords(job)}${share}`, as: look.token },
      ...(problem === "" ? [] : [{ name: "error", value: problem, as: "bad" } as const]),
      { name: "documents", value: documents },
      ...(counts.length === 0 ? [] : [{ name: "counts", value: counts.join(", ") }]),
      { name: "job", value: job.jobId, as: "quiet" },
      { name: "started", value: distanceWords(job.createdAt ?? "", nowMs), as: "quiet" },
      { name: "kept until", value: expiryWords(job, nowMs), as: "quiet" },
    ],
    width,
  );
}
