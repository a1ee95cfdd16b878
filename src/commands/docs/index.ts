import { shellWord } from "#lib/text/shell-word.ts";
import { command } from "../kit/command.ts";
import { tenantOption } from "../kit/workspaces/options.ts";
import { documentArgument } from "./arguments.ts";

/** `svc docs index <id>`: reads the record for its storage path, then asks for the index. */
export default command({
  path: "docs index",
  summary: "Index a stored document again for answers",
  description:
    "For documents that were uploaded without an index, and after a failed one. It is not a way " +
    "around a mode that the document's lifecycle does not support, which is refused.",
  arguments: [documentArgument],
  options: { "tenant-id": tenantOption },
  calls: ["documents.record", "documents.ragIndex"],
  answer: ({ z }) => z.looseObject({ jobId: z.string() }),
  examples: ["svc docs index DOC-2026-000001"],
  trials: [{ words: "{document}", after: ["docs job {job} --wait --timeout 20"] }],
  async run(input, context) {
    const { output, signal } = context;
    const client = await context.client({ workspace: input.options["tenant-id"] });
    const job = await client.useDocuments().ragIndex(input.arguments.documentId, { signal });
    const { jobLines } = await import("./job-text.ts");
    await output.data(job, () => jobLines(context, job));
    if (output.isJson) return;
    await output.note(output.tone("dim", "Queued. Follow it:"));
    await output.note(output.tone("dim", `  svc docs job ${shellWord(job.jobId)} --wait`));
  },
});
