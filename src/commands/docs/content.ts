import { textOption } from "#cli/command.ts";
import { command, tenantOption } from "../command.ts";
import { contentDescription, contentTarget, writeContent } from "../output/content.ts";
import { documentArgument } from "./arguments.ts";

export const docsContentCommand = command({
  path: "docs content",
  summary: "Fetch the original file of a document, unchanged",
  description: contentDescription,
  arguments: [documentArgument],
  options: {
    "tenant-id": tenantOption,
    output: textOption("path", "File to write, or a folder to write into; `-` is stdout"),
  },
  routes: ["GET /v4/data/documents/records/{documentId}/content"],
  examples: [
    "svc docs content DOC-2026-000001 --output plans.pdf",
    "svc docs content DOC-2026-000001 > plans.pdf",
  ],
  async run(input, context) {
    const { documentId } = input.arguments;
    const target = contentTarget(context, input.options.output);
    const client = await context.client({ workspace: input.options["tenant-id"] });
    const content = await client.useDocuments().content(documentId, { signal: context.signal });
    await writeContent(context, content, target, { documentId });
  },
});
