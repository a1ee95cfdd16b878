import type { ObjectType } from "#contract/object-types/object-types.ts";
import { command } from "../kit/command.ts";
import { tenantOption } from "../kit/workspaces/options.ts";
import { chosenFields, columnsOption, fieldsNamed, printRows } from "../kit/output/rows.ts";

const fields = [
  ...fieldsNamed<ObjectType>("id", "slug", "name", "displayName", "description", "version"),
  ...fieldsNamed<ObjectType>("status", "recordCount", "properties", "linkTypes", "actions"),
  ...fieldsNamed<ObjectType>("created_at", "updated_at"),
];

export default command({
  path: "resources schema",
  summary: "Show the published Object Types of a workspace",
  arguments: [],
  formats: "rows",
  options: { "tenant-id": tenantOption, columns: columnsOption },
  calls: ["objectTypes.schema"],
  answer: "objectTypes.schema",
  async run(input, context) {
    const chosen = chosenFields(input.options.columns, fields);
    const client = await context.client({ workspace: input.options["tenant-id"] });
    const schema = await client.objectTypes.schema({ signal: context.signal });
    await printRows(context.output, {
      rows: schema.objectTypes,
      fields: chosen,
      csvFields: fields,
      none: "No Object Types",
      answer: (objectTypes) => ({ ...schema, objectTypes }),
      columns: [
        { heading: "slug", value: (row) => row.slug, whole: true },
        { heading: "name", value: (row) => row.name },
        { heading: "records", value: (row) => row.recordCount, align: "right" },
        { heading: "properties", value: (row) => Object.keys(row.properties).join(", ") },
      ],
    });
  },
});
