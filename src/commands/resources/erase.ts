import { shown } from "#cli/shown.ts";
import { command } from "../kit/command.ts";
import { tenantOption } from "../kit/workspaces/options.ts";
import { recordArguments } from "./records/options.ts";
import { proofSchema, transportProof } from "./records/record.ts";

export default command({
  path: "resources erase",
  summary: "Erase a record for good, with its history and files",
  description:
    "Only a tenant-admin may. It cannot be undone. Also takes a record that is deleted or in the " +
    "trash. The records that its deletion deletes are erased with it; `svc resources delete " +
    "--dry-run` lists them. The audit log keeps who erased which id, and backups get the id, so " +
    "that a restore erases it again.",
  arguments: recordArguments,
  options: { "tenant-id": tenantOption },
  calls: ["resources.deleted", "resources.delete"],
  answer: ({ z }) =>
    z.strictObject({
      id: z.string(),
      type: z.string(),
      erased: z.literal(true),
      request: proofSchema(z),
    }),
  examples: ["svc resources erase business-request <id> --force"],
  trials: [{ words: "street-tree {record} --force", isAddition: true }],
  confirms: ({ arguments: { type, id } }) => `Erase ${type} ${id} for good? This cannot be undone`,
  async run(input, context) {
    const { type, id } = input.arguments;
    const client = await context.client({ workspace: input.options["tenant-id"] });
    await client.useResources(type).erase(id, { signal: context.signal });
    await context.output.data(
      { id, type, erased: true, request: transportProof(client) },
      () => shown`Erased ${type} ${id}`,
    );
  },
});
