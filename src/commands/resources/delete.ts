import { shown, Shown } from "#cli/shown.ts";
import type { DeletionPreview } from "#contract/resources/deletions.ts";
import { counted } from "#lib/text/counted.ts";
import { command } from "../kit/command.ts";
import { tenantOption } from "../kit/workspaces/options.ts";
import { recordArguments } from "./records/options.ts";
import { proofSchema, transportProof } from "./records/record.ts";

export default command({
  path: "resources delete",
  summary: "Delete a record",
  description:
    "References from other records may forbid it, or their records are changed or deleted too, as " +
    "the `onDelete` of the reference says. --dry-run shows all of it and deletes nothing.",
  arguments: recordArguments,
  options: {
    "tenant-id": tenantOption,
    "dry-run": { type: "boolean", description: "Only show what the deletion would do" },
  },
  calls: ["resources.delete", "resources.deletion"],
  answer: ({ z, reply }) =>
    z.strictObject({
      id: z.string(),
      type: z.string(),
      deleted: z.boolean(),
      preview: reply("resources.deletion").optional(),
      request: proofSchema(z),
    }),
  examples: [
    "svc resources delete business-request <id> --dry-run",
    "svc resources delete business-request <id> --force",
  ],
  trials: [
    "street-tree {record} --force",
    { words: "street-tree {record} --dry-run", isAddition: true },
  ],
  confirms: ({ arguments: { type, id }, options }) =>
    options["dry-run"] === true ? undefined : `Delete ${type} ${id}?`,
  async run(input, context) {
    const { type, id } = input.arguments;
    const client = await context.client({ workspace: input.options["tenant-id"] });
    const records = client.useResources(type);
    if (input.options["dry-run"] === true) {
      const preview = await records.deletionOf(id, { signal: context.signal });
      await context.output.data(
        { id, type, deleted: false, preview, request: transportProof(client) },
        () => previewWords(preview),
      );
      return;
    }
    await records.delete(id, { signal: context.signal });
    await context.output.data(
      { id, type, deleted: true, request: transportProof(client) },
      () => shown`Deleted ${type} ${id}`,
    );
  },
});

function previewWords({ allowed, deletes, clears, blockedBy }: DeletionPreview): Shown {
  const verdict = allowed ? "Nothing was deleted" : "The deletion is not possible";
  const lines: Shown[] = [
    shown`${verdict}`,
    ...deletes.records.map(({ type, id }) => shown`deletes ${type} ${id}`),
    ...clears.references.map(
      ({ type, id, property }) => shown`clears ${property} of ${type} ${id}`,
    ),
    ...blockedBy.references.map(
      ({ type, id, property }) => shown`is referred to by ${property} of ${type} ${id}`,
    ),
  ];
  const total = deletes.total + clears.total + blockedBy.total;
  const rest = total - (lines.length - 1);
  if (rest > 0) lines.push(shown`and ${counted(rest, "other record")}`);
  return Shown.joined(lines, "\n");
}
