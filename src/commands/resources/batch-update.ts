import { command } from "../command.ts";
import { runBatch } from "./batch.ts";
import { batchOptions, readItems } from "./batch-options.ts";

/** `svc resources batch-update <type>` (spec 4.7). */
export const resourcesBatchUpdateCommand = command({
  path: "resources batch-update",
  summary: "Replace the data of many records",
  description:
    "Each item is `{ id, data, version }`, where version is the one that the change was made " +
    "from. They are sent 500 at a time, each has an outcome of its own, and the exit code is 1 " +
    "when one was not changed.",
  arguments: [{ name: "type", description: "Exact slug of the Object Type" }],
  options: batchOptions,
  routes: ["POST /v4/data/resources/{tenantId}/{objectType}/batch/update"],
  async run(input, context) {
    const { options } = input;
    const { type } = input.arguments;
    const { batchUpdateItem } = await import("#contract/resources/batch.ts");
    const items = await readItems(context, options, batchUpdateItem);
    const client = await context.client({ workspace: options["tenant-id"] });
    const { signal } = context;
    return runBatch({
      context,
      client,
      type,
      items,
      done: "Updated",
      isAtomic: options.atomic,
      send: (chunk) =>
        client.useResources(type).batchUpdate(chunk, { atomic: options.atomic, signal }),
    });
  },
});
