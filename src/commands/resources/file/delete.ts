import { shown } from "#cli/shown.ts";
import { command } from "../../kit/command.ts";
import { tenantOption } from "../../kit/workspaces/options.ts";
import { fileArguments } from "../records/options.ts";
import { proofSchema, transportProof } from "../records/record.ts";

export default command({
  path: "resources file delete",
  summary: "Delete the file of a record's property",
  arguments: fileArguments,
  options: { "tenant-id": tenantOption },
  calls: ["resources.deleteFile"],
  answer: ({ z }) =>
    z.strictObject({
      id: z.string(),
      type: z.string(),
      property: z.string(),
      deleted: z.literal(true),
      request: proofSchema(z),
    }),
  trials: [
    {
      words: "street-tree {record} plan --force",
      after: ["resources file upload street-tree {record} plan plan.txt"],
    },
  ],
  confirms: ({ arguments: words }) => `Delete ${fileWords(words)}?`,
  async run(input, context) {
    const { type, id, property } = input.arguments;
    const client = await context.client({ workspace: input.options["tenant-id"] });
    await client.useResources(type).deleteFile(id, property, { signal: context.signal });
    await context.output.data(
      { id, type, property, deleted: true, request: transportProof(client) },
      () => shown`Deleted ${fileWords(input.arguments)}`,
    );
  },
});

function fileWords({ type, id, property }: Readonly<Record<"type" | "id" | "property", string>>) {
  return `the file ${property} of ${type} ${id}`;
}
