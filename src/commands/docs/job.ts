import { shown } from "#cli/shown.ts";
import { catalogError, exitCodes, type CatalogError } from "#contract/errors.ts";
import { given } from "#lib/given.ts";
import { command } from "../kit/command.ts";
import { tenantOption } from "../kit/workspaces/options.ts";
import { jobArgument } from "./arguments.ts";

/** `svc docs job <jobId>`: reads the job; `--wait` also only reads (spec 4.7 rule 6). */
export default command({
  path: "docs job",
  summary: "Show a document job, or wait for its end",
  description:
    "With --wait the exit code is 0 when every stage succeeded, 1 when a stage failed or the job " +
    "completed with errors, and 8 when the wait ended first, also in a state that is not known. " +
    "Nothing is uploaded again.",
  waits: true,
  arguments: [jobArgument],
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
  calls: ["documents.job"],
  answer: "documents.job",
  examples: ["svc docs job <jobId> --wait --timeout 60"],
  trials: ["{job}", "{job} --wait --timeout 20"],
  async run(input, context) {
    const { output, signal } = context;
    const { jobId } = input.arguments;
    const client = await context.client({ workspace: input.options["tenant-id"] });
    const documents = client.useDocuments();
    const { endWords, jobLines, progressText } = await import("./job-text.ts");
    if (!input.options.wait) {
      const job = await documents.job(jobId, { signal });
      await output.data(job, () => jobLines(context, job));
      return exitCodes.done;
    }
    let outage: CatalogError | undefined;
    const { outcome, job } = await documents.waitForJob(jobId, {
      waitMs: input.options.timeout * 1000,
      signal,
      onChange: (state) => void output.progress(progressText(state)),
      onOutage: (error) => {
        outage = error;
        void output.progress(`${error.message}; trying again`);
      },
    });
    if (job === undefined) {
      const details = `job ${jobId} could not be read before the wait ended`;
      const hint = given({ hint: outage?.message });
      throw catalogError("E203", { details }, { exitCode: exitCodes.stillPending, ...hint });
    }
    await output.data(job, () => jobLines(context, job));
    if (outcome === "succeeded") return exitCodes.done;
    await output.note(shown`${endWords(job, outcome, input.options.timeout)}`);
    return outcome === "pending" ? exitCodes.stillPending : exitCodes.failed;
  },
});
