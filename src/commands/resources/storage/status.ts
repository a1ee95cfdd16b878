import { exitCodes } from "#contract/errors.ts";
import { command, tenantOption } from "../../command.ts";
import { statusLines } from "./report.ts";

export const resourcesStorageStatusCommand = command({
  path: "resources storage status",
  summary: "Show the backends that store a workspace's data",
  rows: ["backends"],
  arguments: [],
  options: { "tenant-id": tenantOption },
  routes: ["GET /v4/data/resources/{tenantId}/storage"],
  async run(input, context) {
    const { output, signal } = context;
    const client = await context.client({ workspace: input.options["tenant-id"] });
    const status = await client.storage.status({ signal });
    await output.data(status, () => statusLines(output, status));
    const isDown = status.backends.some((backend) => backend.status === "down");
    return isDown ? exitCodes.failed : exitCodes.done;
  },
});
