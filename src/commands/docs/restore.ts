import { shown } from "#cli/shown.ts";
import { command } from "../kit/command.ts";
import { tenantOption } from "../kit/workspaces/options.ts";
import { documentArgument } from "./arguments.ts";

export default command({
  path: "docs restore",
  summary: "Bring a document back that was deleted with --trash",
  description: "Only its uploader or a tenant-builder may. `svc docs deleted` lists the trash.",
  arguments: [documentArgument],
  options: { "tenant-id": tenantOption },
  calls: ["documents.restore"],
  answer: "documents.restore",
  trials: [{ words: "{document}", after: ["docs delete {document} --trash --force"] }],
  async run(input, context) {
    const { documentId } = input.arguments;
    const client = await context.client({ workspace: input.options["tenant-id"] });
    const record = await client.useDocuments().restore(documentId, { signal: context.signal });
    await context.output.data(record, () => shown`Restored document ${documentId}`);
  },
});
