import { command, tenantOption } from "../command.ts";

/** `svc resources schema` (spec 4.7). */
export const resourcesSchemaCommand = command({
  path: "resources schema",
  summary: "Show the published Object Types of a workspace",
  arguments: [],
  options: { "tenant-id": tenantOption },
  routes: ["GET /v4/data/resources/schema/{tenantId}"],
  async run(input, context) {
    const client = await context.client({ workspace: input.options["tenant-id"] });
    const schema = await client.objectTypes.schema({ signal: context.signal });
    const { output } = context;
    await output.data(schema, () =>
      output.table(schema.objectTypes, [
        { heading: "slug", value: (row) => row.slug, whole: true },
        { heading: "name", value: (row) => row.name },
        { heading: "records", value: (row) => row.recordCount, align: "right" },
        { heading: "properties", value: (row) => Object.keys(row.properties).join(", ") },
      ]),
    );
  },
});
