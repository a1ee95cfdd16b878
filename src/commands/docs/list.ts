import type { DocumentRecord } from "#contract/documents/records.ts";
import { command } from "../kit/command.ts";
import { tenantOption } from "../kit/workspaces/options.ts";
import { readObject } from "../kit/input/data.ts";
import { noteRest, pageQuery, placeWords } from "../kit/output/pages.ts";
import { chosenFields, columnsOption, printRows, type Field } from "../kit/output/rows.ts";

const field = (
  name: string,
  value: (record: DocumentRecord) => unknown,
): Field<DocumentRecord> => ({ name, value });

const fields: readonly Field<DocumentRecord>[] = [
  field("documentId", ({ documentId }) => documentId),
  field("documentNumber", ({ documentNumber }) => documentNumber),
  field("filename", ({ filename }) => filename),
  field("mediaType", ({ mediaType }) => mediaType),
  field("size", ({ size }) => size),
  field("status", ({ status }) => status),
  field("processingMode", ({ processingMode }) => processingMode),
  field("lifecycle", ({ lifecycle }) => lifecycle),
  field("label", ({ classification }) => classification?.label),
  field("confidence", ({ classification }) => classification?.confidence),
  field("pages", ({ pages }) => pages),
  field("indexStatus", ({ indexStatus }) => indexStatus),
  field("jobId", ({ jobId }) => jobId),
  field("sha256", ({ sha256 }) => sha256),
  field("created_at", ({ created_at }) => created_at),
  field("updated_at", ({ updated_at }) => updated_at),
];

export default command({
  path: "docs list",
  summary: "List the documents of a workspace",
  arguments: [],
  formats: "rows",
  options: {
    "tenant-id": tenantOption,
    columns: columnsOption,
  },
  pages: {
    of: "Documents",
    sort: "-created_at",
    where: true,
    count: "Also count all documents",
  },
  calls: ["documents.list"],
  answer: "documents.list",
  examples: [
    "svc docs list",
    `svc docs list --where '{"status":"failed"}' --sort filename`,
    "svc docs list --columns documentNumber,filename,label --format csv",
  ],
  async run({ options }, context) {
    const { output, signal } = context;
    const chosen = chosenFields(options.columns, fields);
    const where = await readObject(context, options.where, "--where");
    const client = await context.client({ workspace: options["tenant-id"] });
    const list = await client.useDocuments().list({
      ...pageQuery(options),
      sort: options.sort,
      where,
      ...(options.count ? { count: true } : {}),
      signal,
    });
    await printRows(output, {
      rows: list.items,
      fields: chosen,
      csvFields: fields,
      none: `No documents${where === undefined ? "" : " match"}${placeWords(options)}`,
      answer: (items) => ({ ...list, items }),
      columns: [
        {
          heading: "number",
          value: ({ documentNumber, documentId }) => documentNumber ?? documentId,
          whole: true,
        },
        { heading: "filename", value: ({ filename }) => filename },
        { heading: "status", value: ({ status }) => status, whole: true },
        { heading: "label", value: ({ classification }) => classification?.label, optional: true },
        { heading: "pages", value: ({ pages }) => pages, align: "right", optional: true },
        { heading: "created", value: ({ created_at }) => created_at, optional: true },
      ],
    });
    await noteRest(output, list, options, "document");
  },
});
