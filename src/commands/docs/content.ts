import { textOption } from "#cli/command.ts";
import { maximumPage } from "#contract/limits.ts";
import { command, tenantOption } from "../command.ts";
import { contentDescription, contentTarget, writeContent } from "../output/content.ts";
import { documentArgument } from "./arguments.ts";

export const docsContentCommand = command({
  path: "docs content",
  summary: "Fetch the original file of a document, its text or its tables",
  description:
    `${contentDescription} With \`--as text\` it prints the extracted text, page by page, and with ` +
    "`--as tables` the tables; their JSON has the place of each cell. `--as words` prints the words of " +
    "one page with their boxes.",
  arguments: [documentArgument],
  options: {
    "tenant-id": tenantOption,
    as: {
      type: "string",
      values: ["file", "text", "tables", "words"],
      default: "file",
      description: "Part of the document",
    },
    page: {
      type: "number",
      minimum: 1,
      maximum: maximumPage,
      description: "Only this page, with another `--as` than `file`",
      excludes: ["output"],
    },
    output: textOption("path", "File to write, or a folder to write into; `-` is stdout"),
  },
  routes: [
    "GET /v4/data/documents/records/{documentId}/content",
    "GET /v4/data/documents/records/{documentId}/pages/{page}",
    "GET /v4/data/documents/records/{documentId}/tables",
  ],
  examples: [
    "svc docs content DOC-2026-000001 --output plans.pdf",
    "svc docs content DOC-2026-000001 > plans.pdf",
    "svc docs content DOC-2026-000001 --as tables",
  ],
  async run(input, context) {
    const { documentId } = input.arguments;
    const { as, page, output } = input.options;
    if (as !== "file") {
      const { refuseOutput, showTables, showText, showWords } = await import("./extracted.ts");
      refuseOutput(output);
      const client = await context.client({ workspace: input.options["tenant-id"] });
      const show = { text: showText, tables: showTables, words: showWords }[as];
      return show(context, client.useDocuments(), { documentId, page });
    }
    const target = contentTarget(context, output);
    const client = await context.client({ workspace: input.options["tenant-id"] });
    const content = await client.useDocuments().content(documentId, { signal: context.signal });
    await writeContent(context, content, target, { documentId });
  },
});
