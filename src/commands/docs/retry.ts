import type { AnyCommand } from "#cli/command.ts";
import { shellWord } from "#lib/shell-word.ts";
import { command, tenantOption } from "../command.ts";
import type { CommandContext } from "../context.ts";
import { jobArgument } from "./arguments.ts";

interface JobVerb {
  readonly verb: "retry" | "cancel";
  readonly summary: string;
  readonly description: string;
}

/** `svc docs retry` and `svc docs cancel`. */
export function jobCommand({ verb, summary, description }: JobVerb): AnyCommand<CommandContext> {
  return command({
    path: `docs ${verb}`,
    summary,
    description,
    arguments: [jobArgument],
    options: { "tenant-id": tenantOption },
    routes: [`POST /v4/data/documents/jobs/{jobId}/${verb}`],
    examples: [`svc docs ${verb} <jobId>`],
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

export const docsRetryCommand = jobCommand({
  verb: "retry",
  summary: "Run a failed, cancelled or incomplete job again",
  description:
    "It continues after its last good stage; documents that passed a stage are not processed " +
    "there again. A job that is active, or that succeeded, is refused (E205).",
});
