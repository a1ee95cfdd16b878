import { shown } from "#cli/shown.ts";
import { command } from "../kit/command.ts";
import { tenantOption } from "../kit/workspaces/options.ts";
import { recordArguments, versionOption } from "./records/options.ts";
import { transportProof, withProof } from "./records/record.ts";

export default command({
  path: "resources restore",
  summary: "Bring back a deleted record, or an earlier version of a record",
  description:
    "A deleted record comes back with its files, the records that its deletion has deleted and the " +
    "references that it has cleared. `svc resources deleted` lists what can be restored.",
  arguments: recordArguments,
  options: {
    "tenant-id": tenantOption,
    version: versionOption("Version whose state the record gets; a deleted one needs none"),
  },
  calls: ["resources.restore"],
  answer: withProof("resources.restore"),
  examples: ["svc resources restore business-request <id> --version 1"],
  trials: ["street-tree {record} --version 1"],
  async run(input, context) {
    const { type, id } = input.arguments;
    const { version, "tenant-id": workspace } = input.options;
    const client = await context.client({ workspace });
    const options = { version, signal: context.signal };
    const record = await client.useResources(type).restore(id, options);
    await context.output.data(
      { ...record, request: transportProof(client) },
      () => shown`Restored ${type} ${id} as version ${record.version}`,
    );
  },
});
