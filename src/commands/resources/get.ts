import { command, tenantOption } from "../command.ts";
import { recordLines } from "./record.ts";
import { recordArguments } from "./options.ts";

/** `svc resources get <type> <id>` (spec 4.7). */
export const resourcesGetCommand = command({
  path: "resources get",
  summary: "Show one record",
  arguments: recordArguments,
  options: {
    "tenant-id": tenantOption,
    version: {
      type: "number",
      minimum: 1,
      maximum: 2_147_483_647,
      description: "Show the record as it stood in this version",
    },
  },
  routes: ["GET /v4/data/resources/{tenantId}/{objectType}/{id}"],
  examples: ["svc resources get planning-application <id>"],
  async run(input, context) {
    const client = await context.client({ workspace: input.options["tenant-id"] });
    const record = await client
      .useResources(input.arguments.type)
      .get(input.arguments.id, { version: input.options.version, signal: context.signal });
    await context.output.data(record, () => recordLines(context, record));
  },
});
