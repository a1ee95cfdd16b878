import { command } from "../kit/command.ts";
import { tenantOption } from "../kit/workspaces/options.ts";
import { readJsonObject } from "../kit/input/data.ts";
import { typeArgument } from "./records/options.ts";
import { recordLines, transportProof, withProof } from "./records/record.ts";

export default command({
  path: "resources upsert",
  summary: "Create a record, or change the one with this value of a unique property",
  description:
    "The data are merged into those of the record (RFC 7396), or replace them with --replace. The " +
    "same command twice leaves one record.",
  arguments: [
    typeArgument,
    { name: "property", description: "Unique property of the Object Type" },
    { name: "value", description: "Value of the property" },
  ],
  options: {
    "tenant-id": tenantOption,
    data: {
      type: "string",
      required: true,
      placeholder: "json",
      description: "The record's data; `-` reads stdin, `@path` a file",
    },
    replace: {
      type: "boolean",
      description: "Replace the stored data instead of merging into them",
    },
  },
  calls: ["resources.upsert"],
  answer: withProof("resources.upsert"),
  examples: [
    'svc resources upsert business-request reference BR-2026-0001 --data \'{"status":"open"}\'',
  ],
  trials: ['street-tree label T-1 --data {"species":"fir"}'],
  async run(input, context) {
    const { type, property, value } = input.arguments;
    const { data, replace, "tenant-id": workspace } = input.options;
    const given = await readJsonObject(context, { data });
    const client = await context.client({ workspace });
    const options = { replace, signal: context.signal };
    const record = await client.useResources(type).upsert(property, value, given, options);
    await context.output.data({ ...record, request: transportProof(client) }, () =>
      recordLines(context, record),
    );
  },
});
