import type { ObjectType } from "#contract/object-types.ts";
import { command, tenantOption } from "../command.ts";
import { chosenFields, columnsOption, printRows, type Field } from "../output/rows.ts";

const names = [
  "id",
  "slug",
  "name",
  "displayName",
  "description",
  "version",
  "status",
  "recordCount",
  "properties",
  "linkTypes",
  "actions",
  "created_at",
  "updated_at",
] as const;
const fields = names.map((name): Field<ObjectType> => ({ name, value: (row) => row[name] }));

/** `svc resources schema` (spec 4.7). */
export const resourcesSchemaCommand = command({
  path: "resources schema",
  summary: "Show the published Object Types of a workspace",
  arguments: [],
  formats: "rows",
  options: { "tenant-id": tenantOption, columns: columnsOption },
  routes: ["GET /v4/data/resources/schema/{tenantId}"],
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
