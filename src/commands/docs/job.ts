import { readJob, stateWord, trackedState, type JobOutcome } from "#client/job-outcome.ts";
import type { DocumentJob, JobStage } from "#contract/documents/jobs.ts";
import { catalogError, exitCodes, type CatalogError } from "#contract/errors.ts";
import { command, tenantOption } from "../command.ts";
import type { CommandContext } from "../context.ts";
import { otherFields } from "../output/rows.ts";

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

function stagesText(job: DocumentJob): string {
  return (job.stages ?? []).map(stageText).join("  ");
}

function jobLines({ output }: CommandContext, job: DocumentJob): string[] {
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

/** `svc docs job <jobId>`: reads the job; `--wait` also only reads (spec 4.7 rule 6). */
export const docsJobCommand = command({
  path: "docs job",
  summary: "Show a document job, or wait for its end",
  description:
    "With --wait the exit code is 0 when every stage succeeded, 1 when a stage failed or the job " +
    "completed with errors, and 8 when the wait ended first, also in a state that is not known. " +
    "Nothing is uploaded again.",
  arguments: [{ name: "jobId", description: "Job ID, from `docs upload`" }],
  options: {
    "tenant-id": tenantOption,
    wait: { type: "boolean", description: "Wait for the job's end" },
    timeout: {
      type: "number",
      minimum: 1,
      maximum: 1800,
      default: 300,
      description: "Longest wait, in seconds",
      needs: "wait",
    },
  },
  routes: ["GET /v4/data/documents/jobs/{jobId}"],
  examples: ["svc docs job <jobId> --wait --timeout 60"],
  async run(input, context) {
    const { output, signal } = context;
    const { jobId } = input.arguments;
    const client = await context.client({ workspace: input.options["tenant-id"] });
    const documents = client.useDocuments();
    if (!input.options.wait) {
      const job = await documents.job(jobId, { signal });
      await output.data(job, () => jobLines(context, job));
      return exitCodes.done;
    }
    let outage: CatalogError | undefined;
    const { outcome, job } = await documents.waitForJob(jobId, {
      waitMs: input.options.timeout * 1000,
      signal,
      onChange: (state) => void output.progress(`${stateWord(state) ?? ""}  ${stagesText(state)}`),
      onOutage: (error) => {
        outage = error;
        void output.progress(`${error.message}; trying again`);
      },
    });
    if (job === undefined) {
      const details = `job ${jobId} could not be read before the wait ended`;
      const hint = outage === undefined ? {} : { hint: outage.message };
      throw catalogError("E203", { details }, { exitCode: exitCodes.stillPending, ...hint });
    }
    await output.data(job, () => jobLines(context, job));
    if (outcome === "succeeded") return exitCodes.done;
    await output.note(output.plain(endWords(job, outcome, input.options.timeout)));
    return outcome === "pending" ? exitCodes.stillPending : exitCodes.failed;
  },
});

function endWords(job: DocumentJob, outcome: JobOutcome, timeoutSeconds: number): string {
  const { word, state, isActive, failedStages } = readJob(job);
  if (outcome === "pending") {
    if (isActive) return `Still ${word} after ${timeoutSeconds} s; the job continues`;
    const unknown =
      word === undefined ? "The job names no state" : `The job's state "${word}" is not known`;
    return `${unknown}; no known end came within ${timeoutSeconds} s`;
  }
  const failed = failedStages.map(({ name }) => name).join(", ");
  const end =
    state === undefined || isActive
      ? `The job is ${word === undefined ? "in no named state" : `"${word}"`}`
      : `The job ended as ${word}`;
  return failed === "" ? end : `${end}; failed: ${failed}`;
}
