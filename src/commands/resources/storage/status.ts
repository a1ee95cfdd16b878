import { exitCodes } from "#contract/errors.ts";
import { command } from "../../kit/command.ts";
import { tenantOption } from "../../kit/workspaces/options.ts";
import { isUnwell, statusLines } from "../../kit/storage/report.ts";

export default command({
  path: "resources storage status",
  summary: "Show the backends that store a workspace's data",
  rows: ["backends"],
  arguments: [],
  options: { "tenant-id": tenantOption },
  calls: ["storage.status"],
  answer: "storage.status",
  async run(input, context) {
    const { output, signal } = context;
    const client = await context.client({ workspace: input.options["tenant-id"] });
    const status = await client.storage.status({ signal });
    await output.data(status, () => statusLines(output, status));
    return (await isUnwell(status)) ? exitCodes.failed : exitCodes.done;
  },
});
