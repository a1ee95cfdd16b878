import { command } from "../command.ts";
import { dataSource } from "../input.ts";
import { batchOptions, batchWords, csvWords, runBatch } from "./batch.ts";
import { recordItems } from "./batch-items.ts";
import { csvReader } from "./csv-items.ts";
import { typeArgument } from "./options.ts";

/** `svc resources batch-update <type>` (spec 4.7). */
export const resourcesBatchUpdateCommand = command({
  path: "resources batch-update",
  summary: "Replace the data of many records",
  description:
    "Each item is `{ id, data, version }`, where version is the one that the change was made " +
    `from. ${csvWords} ${batchWords}`,
  arguments: [typeArgument],
  formats: "rows",
  options: batchOptions,
  routes: ["POST /v4/data/resources/{tenantId}/{objectType}/batch/update"],
  examples: [
    "svc resources list licence --all --format csv > licences.csv",
    "svc resources batch-update licence --file licences.csv",
  ],
  async run(input, context) {
    const { atomic, columns, ...options } = input.options;
    const { type } = input.arguments;
    const { signal } = context;
    const source = await dataSource(context, options);
    const { batchUpdateItem } = await import("#contract/resources/batch.ts");
    const csv = csvReader(context, options["tenant-id"], type, "update");
    const items = recordItems(source, batchUpdateItem, csv);
    return runBatch({
      context,
      workspace: options["tenant-id"],
      type,
      items,
      isReplayable: source.isReplayable,
      columns,
      done: "Updated",
      isAtomic: atomic,
      send: (client, some) => client.useResources(type).batchUpdate(some, { atomic, signal }),
    });
  },
});
