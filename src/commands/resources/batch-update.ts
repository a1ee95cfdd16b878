import { command } from "../command.ts";
import { batchOptions, batchWords, csvWords } from "./batch.ts";
import { writeRecords } from "./batch-writes.ts";
import { recordOfType } from "./listed-record.ts";
import { typeArgument } from "./options.ts";

/** `svc resources batch-update <type>` (spec 4.7). */
export const resourcesBatchUpdateCommand = command({
  path: "resources batch-update",
  summary: "Replace the data of many records",
  description:
    "Each item is `{ id, data, version }`, where version is the one that the change was made " +
    `from; or a whole record, as \`resources list\` writes it. ${csvWords} ${batchWords}`,
  arguments: [typeArgument],
  formats: "rows",
  options: batchOptions,
  routes: ["POST /v4/data/resources/{tenantId}/{objectType}/batch/update"],
  examples: [
    "svc resources list business-request --all --format csv > requests.csv",
    "svc resources batch-update business-request --file requests.csv",
  ],
  async run(input, context) {
    const { batchUpdateItem } = await import("#contract/resources/batch.ts");
    const { type } = input.arguments;
    return writeRecords(context, type, input.options, {
      use: "update",
      done: "Updated",
      schema: batchUpdateItem,
      prepared: (value, place) => {
        const record = recordOfType(value, type, `#/${place}`);
        if (record === undefined) return value;
        const { id, data, version } = record;
        return { id, data, version };
      },
      send: (records, items, options) => records.batchUpdate(items, options),
    });
  },
});
