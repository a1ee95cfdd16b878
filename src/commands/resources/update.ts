import { catalogError } from "#contract/errors.ts";
import { command } from "../kit/command.ts";
import { tenantOption } from "../kit/workspaces/options.ts";
import { readJsonObject } from "../kit/input/data.ts";
import { recordOfType } from "./records/listed.ts";
import { recordArguments, versionOption } from "./records/options.ts";
import { recordLines } from "./records/record.ts";

export default command({
  path: "resources update",
  summary: "Replace a record's data",
  description:
    "The data replace the stored data. --version names the version that the change is based on; " +
    "without it the current version is fetched first. A whole record from `resources get` has " +
    "its own version.",
  arguments: recordArguments,
  options: {
    "tenant-id": tenantOption,
    data: {
      type: "string",
      required: true,
      placeholder: "json",
      description: "The record's new data; `-` reads stdin, `@path` a file",
    },
    version: versionOption("Version that the change is based on"),
  },
  calls: ["resources.get", "resources.update"],
  answer: "resources.update",
  examples: ["svc resources update business-request <id> --data @request.json"],
  trials: [
    'street-tree {record} --data {"species":"fir"} --version 1',
    'street-tree {record} --data {"species":"fir"}',
  ],
  async run(input, context) {
    const { type, id } = input.arguments;
    const given = await readJsonObject(context, { data: input.options.data });
    const whole = recordOfType(given, type, "#");
    if (whole !== undefined && whole.id !== id) {
      const details = `#/id is ${JSON.stringify(whole.id)}, the ID of another record`;
      throw catalogError("E302", { details });
    }
    const client = await context.client({ workspace: input.options["tenant-id"] });
    const record = await client.useResources(type).update(id, whole?.data ?? given, {
      version: input.options.version ?? whole?.version,
      signal: context.signal,
    });
    await context.output.data(record, () => recordLines(context, record));
  },
});
