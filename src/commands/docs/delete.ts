import { shown, type Shown } from "#cli/shown.ts";
import type { DeletionReceipt } from "#contract/documents/records.ts";
import { counted } from "#lib/text/counted.ts";
import { ownMember } from "#lib/own-member.ts";
import { command } from "../kit/command.ts";
import { tenantOption } from "../kit/workspaces/options.ts";
import { documentArgument } from "./arguments.ts";

export default command({
  path: "docs delete",
  summary: "Delete a document with its file and analysis",
  description:
    "Only its uploader or a tenant-builder may. The record it belongs to and the classifier " +
    "stay. An incomplete removal exits with 1: delete it again.",
  arguments: [documentArgument],
  options: {
    "tenant-id": tenantOption,
    trash: { type: "boolean", description: "Keep it restorable with `docs restore` for some days" },
  },
  calls: ["documents.delete"],
  answer: "documents.delete",
  examples: ["svc docs delete DOC-2026-000001 --force"],
  trials: ["{document} --force"],
  confirms: ({ arguments: { documentId } }) => `Delete document ${documentId}?`,
  async run(input, context) {
    const { documentId } = input.arguments;
    const client = await context.client({ workspace: input.options["tenant-id"] });
    const receipt = await client.useDocuments().delete(documentId, {
      trash: input.options.trash,
      signal: context.signal,
    });
    await context.output.data(receipt, () => receiptWords(documentId, receipt));
  },
});

const singular: Readonly<Record<string, string>> = { chunks: "passage", vectors: "vector" };

function receiptWords(documentId: string, receipt: DeletionReceipt): Shown {
  const { removed = {}, trashed, restorableUntil = "" } = receipt;
  if (trashed === true) {
    return shown`Put document ${documentId} into the trash; it can be restored until ${restorableUntil}`;
  }
  const parts = Object.entries(removed).flatMap(([name, value]) => {
    if (value === false || value === 0) return [];
    return [value === true ? name : counted(value, ownMember(singular, name) ?? name)];
  });
  const words = parts.length === 0 ? "" : ` (${parts.join(", ")})`;
  return shown`Deleted document ${documentId}${words}`;
}
