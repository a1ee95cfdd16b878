import { shown } from "#cli/shown.ts";
import { command } from "../kit/command.ts";
import { tenantOption } from "../kit/workspaces/options.ts";
import { recordArguments } from "./records/options.ts";
import { proofSchema, transportProof } from "./records/record.ts";

export default command({
  path: "resources delete",
  summary: "Delete a record",
  arguments: recordArguments,
  options: { "tenant-id": tenantOption },
  calls: ["resources.delete"],
  answer: ({ z }) =>
    z.strictObject({
      id: z.string(),
      type: z.string(),
      deleted: z.literal(true),
      request: proofSchema(z),
    }),
  examples: ["svc resources delete business-request <id> --force"],
  trials: ["street-tree {record} --force"],
  confirms: ({ arguments: { type, id } }) => `Delete ${type} ${id}?`,
  async run(input, context) {
    const { type, id } = input.arguments;
    const client = await context.client({ workspace: input.options["tenant-id"] });
    await client.useResources(type).delete(id, { signal: context.signal });
    await context.output.data(
      { id, type, deleted: true, request: transportProof(client) },
      () => shown`Deleted ${type} ${id}`,
    );
  },
});
