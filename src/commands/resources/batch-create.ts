import { command } from "../command.ts";
import { dataSource } from "../input.ts";
import { batchOptions, batchWords, csvWords, runBatch } from "./batch.ts";
import { recordItems } from "./batch-items.ts";
import { csvReader } from "./csv-items.ts";
import { typeArgument } from "./options.ts";

/** `svc resources batch-create <type>` (spec 4.7). */
export const resourcesBatchCreateCommand = command({
  path: "resources batch-create",
  summary: "Create many records",
  description: `Each item is the record's data, or \`{ data }\`. ${csvWords} ${batchWords}`,
  arguments: [typeArgument],
  formats: "rows",
  options: batchOptions,
  routes: ["POST /v4/data/resources/{tenantId}/{objectType}/batch/create"],
  examples: [
    "svc resources batch-create licence --file licences.json",
    "svc resources batch-create licence --file licences.csv",
  ],
  async run(input, context) {
    const { atomic, columns, ...options } = input.options;
    const { type } = input.arguments;
    const { signal } = context;
    const source = await dataSource(context, options);
    const { jsonObject } = await import("#contract/values.ts");
    const csv = csvReader(context, options["tenant-id"], type, "create");
    const items = recordItems(source, jsonObject, csv);
    return runBatch({
      context,
      workspace: options["tenant-id"],
      type,
      items,
      isReplayable: source.isReplayable,
      columns,
      done: "Created",
      isAtomic: atomic,
      send: (client, some) => client.useResources(type).batchCreate(some, { atomic, signal }),
    });
  },
});
