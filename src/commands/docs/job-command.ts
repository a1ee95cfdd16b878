import { shellWord } from "#lib/text/shell-word.ts";
import { command, type Command } from "../kit/command.ts";
import { tenantOption } from "../kit/workspaces/options.ts";
import { jobArgument } from "./arguments.ts";

interface JobVerb {
  readonly verb: "retry" | "cancel";
  readonly summary: string;
  readonly description: string;
}

/** `svc docs retry` and `svc docs cancel`. */
export function jobCommand({ verb, summary, description }: JobVerb): Command {
  return command({
    path: `docs ${verb}`,
    summary,
    description,
    arguments: [jobArgument],
    options: { "tenant-id": tenantOption },
    calls: [`documents.${verb}Job`],
    answer: `documents.${verb}Job`,
    examples: [`svc docs ${verb} <jobId>`],
    trials: [{ words: "{job}", at: ["other", "stub"] }],
    async run(input, context) {
      const { output, signal } = context;
      const { jobId } = input.arguments;
      const client = await context.client({ workspace: input.options["tenant-id"] });
      const documents = client.useDocuments();
      const job = await (verb === "retry"
        ? documents.retryJob(jobId, { signal })
        : documents.cancelJob(jobId, { signal }));
      const { jobLines } = await import("./job-text.ts");
      await output.data(job, () => jobLines(context, job));
      if (verb === "cancel" || output.isJson) return;
      await output.note(output.tone("dim", "Queued again. Follow it:"));
      await output.note(output.tone("dim", `  svc docs job ${shellWord(job.jobId)} --wait`));
    },
  });
}
