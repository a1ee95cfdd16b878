import type { DocumentJob } from "#client/index.ts";
import { useAgeTime } from "../kit/keys/use-keys.ts";
import { useAct } from "../kit/places/action.ts";
import { sparkText } from "../kit/text/spark.ts";
import { clipMiddle, textWidth } from "../kit/text/text-layout.ts";
import { ageWords, durationWords } from "../kit/text/words.ts";
import {
  headingRow,
  homeRow,
  unansweredRows,
  type HomePart,
  type HomeRow,
} from "../shell/home/home-rows.ts";
import { useAnswer } from "../shell/platform/use-answer.ts";
import { useRouter } from "../shell/router.ts";
import { jobRetry } from "./actions.ts";
import type { JobFacts } from "./keys.ts";
import { isActive, jobLook, jobName, jobProblem, jobState, shortStageBar } from "./words.ts";

/** The newest jobs, among which the running and the failed ones are counted. */
const readJobs = 50;
const shownJobs = 4;
const shownDone = 8;
/** Jobs in a column that has room for them. */
const mostJobs = 20;
const marginAndGlyph = 5;
const activeMs = 3_000;

function tookMs({ createdAt, updatedAt }: DocumentJob): number {
  return Date.parse(updatedAt ?? "") - Date.parse(createdAt ?? "");
}

function isDone(job: DocumentJob): boolean {
  return jobState(job) === "succeeded" && tookMs(job) >= 0;
}

/** The durations of the newest jobs that succeeded, oldest first, in milliseconds. */
export function doneMs(jobs: readonly DocumentJob[]): number[] {
  return jobs.filter(isDone).map(tookMs).slice(0, shownDone).toReversed();
}

/** The median as a short text: `238 ms`, `1.4 s`, `2m`. */
export function medianWords(durations: readonly number[]): string {
  const sorted = durations.toSorted((a, b) => a - b);
  const median = sorted[Math.floor(sorted.length / 2)] ?? 0;
  if (median < 1_000) return `${Math.round(median)} ms`;
  return median < 60_000 ? `${(median / 1_000).toFixed(1)} s` : durationWords(median);
}

function hasFailed(job: DocumentJob): boolean {
  return ["failed", "completed_with_errors", "interrupted"].includes(jobState(job) ?? "");
}

/** Columns of a job's name: the words after it get up to half of the row. */
function nameRoom(width: number, words: string): number {
  return width - Math.min(textWidth(words), Math.floor(width / 2)) - 2;
}

/** The reason of a failure, the duration of a job that is done, or the stages of another one. */
function wordsOf(job: DocumentJob): string {
  return isDone(job) ? medianWords([tookMs(job)]) : jobProblem(job) || shortStageBar(job);
}

/** Running and failed jobs, and further ones where there is room; `R` runs a failed one again. */
export function useJobHome(): HomePart {
  const { go } = useRouter();
  const act = useAct();
  const { value, failure, refresh } = useAnswer<readonly DocumentJob[]>(
    ["documents.listJobs", undefined, "home"],
    async (client, signal, tenantId) =>
      (await client.useDocuments(tenantId).jobs({ limit: readJobs, signal })).items,
    { shown: true, refreshMs: (jobs) => (jobs?.some(isActive) === true ? activeMs : Infinity) },
  );
  const nowMs = useAgeTime(value);
  if (value === undefined) return { rows: unansweredRows("Jobs", failure) };
  const failed = value.filter((job) => !isActive(job) && hasFailed(job));
  const running = value.filter(isActive);
  const done = doneMs(value);
  const rowOf = (job: DocumentJob): HomeRow => {
    const { glyph, token } = jobLook(job);
    const facts: JobFacts = { jobStatus: jobState(job) };
    const words = wordsOf(job);
    return homeRow({
      id: `job ${job.jobId}`,
      left: (width) => [
        { text: `   ${glyph} `, as: token },
        { text: `${clipMiddle(jobName(job), nameRoom(width - marginAndGlyph, words))}  ` },
        { text: words, as: "quiet" },
      ],
      right: [{ text: ` ${ageWords(job.createdAt, nowMs)} `, as: "quiet" }],
      open: () => go({ place: "jobs", jobId: job.jobId }),
      command: [["docs", "job", job.jobId]],
      handlers: { retry: () => act(jobRetry, job, refresh) },
      facts,
    });
  };
  const heading = headingRow("Jobs", {
    id: "jobs",
    right: [
      { text: running.length === 0 ? "" : ` ${running.length} ▶`, as: "busy" },
      { text: failed.length === 0 ? "" : ` ${failed.length} ✗`, as: "bad" },
      ...(done.length === 0
        ? []
        : [
            { text: ` median ${medianWords(done)} `, as: "quiet" } as const,
            { text: `${sparkText(done)} `, as: "focus" } as const,
          ]),
    ],
    open: () => go({ place: "jobs" }),
  });
  const urgent = [...failed, ...running];
  const others = value.filter((job) => !urgent.includes(job));
  const rows = [...urgent, ...others].slice(0, mostJobs).map(rowOf);
  const least = Math.min(urgent.length, shownJobs);
  return { isUrgent: true, rows: [heading, ...rows.slice(0, least)], more: rows.slice(least) };
}
