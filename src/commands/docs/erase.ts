import { shown } from "#cli/shown.ts";
import { command } from "../kit/command.ts";
import { tenantOption } from "../kit/workspaces/options.ts";
import { documentArgument } from "./arguments.ts";

export default command({
  path: "docs erase",
  summary: "Erase a document for good, with all that names it",
  description:
    "Only a tenant-admin may. It cannot be undone. Also takes a document in the trash, and by its " +
    "UUID one that is deleted. The audit log keeps who erased which id, and backups get the id, " +
    "so that a restore erases it again.",
  arguments: [documentArgument],
  options: { "tenant-id": tenantOption },
  calls: ["documents.deleted", "documents.delete"],
  answer: "documents.delete",
  examples: ["svc docs erase DOC-2026-000002 --force"],
  trials: [{ words: "{document} --force", isAddition: true }],
  confirms: ({ arguments: { documentId } }) =>
    `Erase document ${documentId} for good? This cannot be undone`,
  async run(input, context) {
    const { documentId } = input.arguments;
    const client = await context.client({ workspace: input.options["tenant-id"] });
    const options = { signal: context.signal };
    const receipt = await client.useDocuments().erase(documentId, options);
    await context.output.data(receipt, () => shown`Erased document ${documentId}`);
  },
});
