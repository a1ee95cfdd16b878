import { command } from "../command.ts";
import { runBatch } from "./batch.ts";
import { batchOptions, readItems } from "./batch-options.ts";

/** `svc resources batch-create <type>` (spec 4.7). */
export const resourcesBatchCreateCommand = command({
  path: "resources batch-create",
  summary: "Create many records",
  description:
    "Each item is the record's data, or `{ data }`. They are sent 500 at a time, each has an " +
    "outcome of its own, and the exit code is 1 when one was not created.",
  arguments: [{ name: "type", description: "Exact slug of the Object Type" }],
  options: batchOptions,
  routes: ["POST /v4/data/resources/{tenantId}/{objectType}/batch/create"],
  examples: ["svc resources batch-create licence --file licences.json"],
  async run(input, context) {
    const { options } = input;
    const { type } = input.arguments;
    const { jsonObject } = await import("#contract/values.ts");
    const items = await readItems(context, options, jsonObject);
    const client = await context.client({ workspace: options["tenant-id"] });
    const { signal } = context;
    return runBatch({
      context,
      client,
      type,
      items,
      done: "Created",
      isAtomic: options.atomic,
      send: (chunk) =>
        client.useResources(type).batchCreate(chunk, { atomic: options.atomic, signal }),
    });
  },
});
