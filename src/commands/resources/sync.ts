import { textOption } from "#cli/command.ts";
import { command } from "../kit/command.ts";
import { typeArgument } from "./records/options.ts";
import { syncAnswer } from "./sync/report.ts";

export default command({
  path: "resources sync",
  summary: "Copy records by their key from one workspace or platform to another",
  description:
    "Shows a plan: how many records of the target would be created, updated and deleted. The " +
    "target checks the plan and writes nothing; --yes does it. Records are compared by --key, a " +
    "unique property in both. Copied are the properties that you may read in both workspaces; " +
    "files, links and other references are named and left out. The same command continues after " +
    "an interruption, because equal records stay as they are. The exit code is 1 when a record " +
    "was refused.",
  arguments: [typeArgument],
  rows: ["changes"],
  options: {
    key: {
      ...textOption("property", "Unique property by which records are compared"),
      required: true,
    },
    from: {
      ...textOption("workspace", "Workspace that is read (default: the selected one)"),
      aliases: ["tenant-id", "tenant", "workspace"],
    },
    to: textOption("workspace", "Workspace that is changed (default: the selected one)"),
    "from-profile": textOption("profile", "Profile of the platform that is read"),
    "to-profile": textOption("profile", "Profile of the platform that is changed"),
    where: textOption("json", "Filter of the source as JSON; `-` reads stdin, `@path` a file"),
    fields: textOption("names", "Properties to copy, separated by commas (default: all)"),
    reference: {
      ...textOption("property=key", "Unique property by which the target of a reference is found"),
      repeatable: true,
    },
    delete: {
      type: "boolean",
      description: "Delete records that the source does not have; each can be restored",
    },
    yes: { type: "boolean", description: "Do what the plan shows" },
  },
  calls: [
    "objectTypes.schema",
    "resources.list",
    "resources.batch",
    "resources.batchCreate",
    "resources.patch",
  ],
  answer: syncAnswer,
  examples: [
    "svc resources sync business-request --key reference --to archive",
    "svc resources sync business-request --key reference --from-profile staging --delete --yes",
  ],
  trials: [
    {
      words: "street-tree --key code --to 01900000-0000-7000-8000-00000000000f",
      at: ["stub"],
    },
  ],
  async run({ arguments: { type }, options }, context) {
    const { syncRecords } = await import("./sync/run.ts");
    return syncRecords(context, type, options);
  },
});
