import { shown } from "#cli/shown.ts";
import { command, tenantOption } from "../command.ts";
import { confirm } from "../input/confirm.ts";
import { forceOption, recordArguments } from "./records/options.ts";
import { transportProof } from "./records/record.ts";

export const resourcesDeleteCommand = command({
  path: "resources delete",
  summary: "Delete a record",
  arguments: recordArguments,
  options: { "tenant-id": tenantOption, force: forceOption },
  routes: ["DELETE /v4/data/resources/{tenantId}/{objectType}/{id}"],
  examples: ["svc resources delete business-request <id> --force"],
  async run(input, context) {
    const { type, id } = input.arguments;
    if (!input.options.force) await confirm(context, `Delete ${type} ${id}?`, "--force");
    const client = await context.client({ workspace: input.options["tenant-id"] });
    await client.useResources(type).delete(id, { signal: context.signal });
    await context.output.data(
      { id, type, deleted: true, request: transportProof(client) },
      () => shown`Deleted ${type} ${id}`,
    );
  },
});
