import { command } from "../kit/command.ts";
import { tenantOption } from "../kit/workspaces/options.ts";
import {
  recordArguments,
  selectionIn,
  selectionOptions,
  versionOption,
} from "./records/options.ts";
import { recordLines } from "./records/record.ts";

export default command({
  path: "resources get",
  summary: "Show one record",
  arguments: recordArguments,
  options: {
    "tenant-id": tenantOption,
    version: versionOption("Show this version of the record"),
    ...selectionOptions,
  },
  calls: ["resources.get"],
  answer: "resources.get",
  examples: [
    "svc resources get planning-application <id>",
    "svc resources get planning-application <id> --fields reference,status",
  ],
  trials: ["street-tree {record}"],
  async run(input, context) {
    const client = await context.client({ workspace: input.options["tenant-id"] });
    const { version, ...options } = input.options;
    const record = await client
      .useResources(input.arguments.type)
      .get(input.arguments.id, { version, ...selectionIn(options), signal: context.signal });
    await context.output.data(record, () => recordLines(context, record));
  },
});
