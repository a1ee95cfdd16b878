import type { DeletedRecord } from "#contract/resources/restore.ts";
import { command } from "../kit/command.ts";
import { noteRest, pageQuery, placeWords } from "../kit/output/pages.ts";
import { chosenFields, columnsOption, fieldsNamed, printRows } from "../kit/output/rows.ts";
import { tenantOption } from "../kit/workspaces/options.ts";
import { typeArgument } from "./records/options.ts";

const fields = fieldsNamed<DeletedRecord>(
  "id",
  "deletedAt",
  "deletedBy",
  "restorableUntil",
  "data",
);

export default command({
  path: "resources deleted",
  summary: "List deleted records that can be restored, newest first",
  arguments: [typeArgument],
  formats: "rows",
  options: { "tenant-id": tenantOption, columns: columnsOption },
  pages: { of: "Records" },
  calls: ["resources.deleted"],
  answer: "resources.deleted",
  examples: ["svc resources deleted business-request"],
  trials: ["street-tree"],
  async run(input, context) {
    const { options } = input;
    const chosen = chosenFields(options.columns, fields);
    const client = await context.client({ workspace: options["tenant-id"] });
    const records = client.useResources(input.arguments.type);
    const list = await records.deleted({ ...pageQuery(options), signal: context.signal });
    const { output } = context;
    await printRows(output, {
      rows: list.items,
      fields: chosen,
      csvFields: fields,
      none: `No deleted records${placeWords(options)}`,
      answer: (items) => ({ ...list, items }),
      columns: [
        { heading: "id", value: (row) => row.id, whole: true },
        { heading: "deleted at", value: (row) => row.deletedAt, whole: true },
        { heading: "until", value: (row) => row.restorableUntil, whole: true },
        { heading: "with", value: (row) => row.deletedWith ?? "", optional: true },
        { heading: "data", value: (row) => JSON.stringify(row.data) },
      ],
    });
    await noteRest(output, list, options);
  },
});
