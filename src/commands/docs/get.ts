import type { Shown } from "#cli/shown.ts";
import type { DocumentRecord } from "#contract/documents/records.ts";
import { command } from "../kit/command.ts";
import { tenantOption } from "../kit/workspaces/options.ts";
import type { CommandContext } from "../kit/context.ts";
import { otherFields, scalarText } from "../kit/output/rows.ts";
import { documentArgument } from "./arguments.ts";

function percent(confidence: number | undefined): string {
  return confidence === undefined ? "" : ` (${Math.round(confidence * 100)} %)`;
}

function recordLines(
  { output }: CommandContext,
  record: DocumentRecord,
  others: readonly [string, string][],
): Shown[] {
  const { classification } = record;
  return output.fields([
    ["document", record.documentId],
    ["number", record.documentNumber],
    ["filename", record.filename],
    ["media type", record.mediaType],
    ["size", record.size === undefined ? undefined : `${record.size} bytes`],
    ["sha256", record.sha256],
    ["status", record.status],
    ["lifecycle", record.lifecycle ?? undefined],
    ["mode", record.processingMode],
    [
      "classification",
      classification ? `${classification.label}${percent(classification.confidence)}` : undefined,
    ],
    ["pages", record.pages?.toString()],
    ["index", record.indexStatus],
    ["job", record.jobId ?? undefined],
    ["created_at", record.created_at],
    ...Object.entries(record.fields ?? {}).map(([name, field]): [string, string] => [
      `field ${name}`,
      `${scalarText(field.value)}${percent(field.confidence)}`,
    ]),
    ...others,
  ]);
}

export default command({
  path: "docs get",
  summary: "Show a document's record",
  arguments: [documentArgument],
  options: {
    "tenant-id": tenantOption,
    "job-id": { type: "string", description: "Cross-check: the job that created the document" },
    "storage-target": {
      type: "string",
      values: ["resourceapi"],
      default: "resourceapi",
      description: "The only storage target",
    },
  },
  calls: ["documents.record"],
  answer: "documents.record",
  examples: ["svc docs get DOC-2026-000001"],
  trials: [
    "{document}",
    { words: "{document} --job-id {job} --storage-target resourceapi", at: ["other"] },
  ],
  async run(input, context) {
    const client = await context.client({ workspace: input.options["tenant-id"] });
    const record = await client.useDocuments().record(input.arguments.documentId, {
      jobId: input.options["job-id"],
      signal: context.signal,
    });
    // The build loads every command for the root help, and may not load the table then.
    const { replyMembers } = await import("#contract/plain/route-table.ts");
    const others = otherFields(record, replyMembers("documents.record"));
    await context.output.data(record, () => recordLines(context, record, others));
  },
});
