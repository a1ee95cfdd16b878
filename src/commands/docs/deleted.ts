import type { DocumentRecord } from "#contract/documents/records.ts";
import { command } from "../kit/command.ts";
import { noteRest, pageQuery, placeWords } from "../kit/output/pages.ts";
import { chosenFields, columnsOption, fieldsNamed, printRows } from "../kit/output/rows.ts";
import { tenantOption } from "../kit/workspaces/options.ts";

const fields = fieldsNamed<DocumentRecord>("documentId", "documentNumber", "filename");

export default command({
  path: "docs deleted",
  summary: "List the documents in the trash, last deleted first",
  formats: "rows",
  arguments: [],
  options: { "tenant-id": tenantOption, columns: columnsOption },
  pages: { of: "Documents" },
  calls: ["documents.deleted"],
  answer: "documents.deleted",
  async run({ options }, context) {
    const chosen = chosenFields(options.columns, fields);
    const client = await context.client({ workspace: options["tenant-id"] });
    const query = { ...pageQuery(options), signal: context.signal };
    const list = await client.useDocuments().deleted(query);
    const { output } = context;
    await printRows(output, {
      rows: list.items,
      fields: chosen,
      csvFields: fields,
      none: `No documents in the trash${placeWords(options)}`,
      answer: (items) => ({ ...list, items }),
      columns: [
        { heading: "number", value: (row) => row.documentNumber ?? row.documentId, whole: true },
        { heading: "file", value: (row) => row.filename },
        { heading: "until", value: untilOf, whole: true },
      ],
    });
    await noteRest(output, list, options);
  },
});

function untilOf({ restorableUntil }: DocumentRecord): string {
  return typeof restorableUntil === "string" ? restorableUntil : "";
}
