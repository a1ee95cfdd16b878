import { command } from "../kit/command.ts";
import { tenantOption } from "../kit/workspaces/options.ts";
import { readJsonObject } from "../kit/input/data.ts";
import { recordArguments, versionOption } from "./records/options.ts";
import { recordLines } from "./records/record.ts";

export default command({
  path: "resources patch",
  summary: "Change some properties of a record",
  description:
    "The data are a JSON Merge Patch (RFC 7396): given properties change, null removes one, and the " +
    "others stay. Without --version the change applies to the current version.",
  arguments: recordArguments,
  options: {
    "tenant-id": tenantOption,
    data: {
      type: "string",
      required: true,
      placeholder: "json",
      description: "Properties to change; `-` reads stdin, `@path` a file",
    },
    version: versionOption("Version that the change is based on"),
  },
  calls: ["resources.patch"],
  answer: "resources.patch",
  examples: ['svc resources patch business-request <id> --data \'{"status":"open"}\''],
  // A platform without the route gets a read and an update.
  trials: [{ words: 'street-tree {record} --data {"species":"fir"}', isAddition: false }],
  async run(input, context) {
    const { type, id } = input.arguments;
    const { data, version, "tenant-id": workspace } = input.options;
    const changes = await readJsonObject(context, { data });
    const client = await context.client({ workspace });
    const options = { version, signal: context.signal };
    const record = await client.useResources(type).patch(id, changes, options);
    await context.output.data(record, () => recordLines(context, record));
  },
});
