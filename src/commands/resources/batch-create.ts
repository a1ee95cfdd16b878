import { command } from "../command.ts";
import { batchOptions, batchWords, csvWords } from "./batch.ts";
import { writeRecords } from "./batch-writes.ts";
import { listedRecord } from "./listed-record.ts";
import { typeArgument } from "./options.ts";

/** `svc resources batch-create <type>` (spec 4.7). */
export const resourcesBatchCreateCommand = command({
  path: "resources batch-create",
  summary: "Create many records",
  description:
    "Each item is the record's data, or `{ data }`; of a whole record, as `resources list` writes it, " +
    `the data are taken. ${csvWords} ${batchWords}`,
  arguments: [typeArgument],
  formats: "rows",
  options: batchOptions,
  routes: ["POST /v4/data/resources/{tenantId}/{objectType}/batch/create"],
  examples: [
    "svc resources batch-create business-request --file requests.json",
    "svc resources batch-create business-request --file requests.csv",
  ],
  async run(input, context) {
    const { jsonObject } = await import("#contract/values.ts");
    return writeRecords(context, input.arguments.type, input.options, {
      use: "create",
      done: "Created",
      schema: jsonObject,
      prepared: (value) => {
        const record = listedRecord(value);
        return record === undefined ? value : { data: record.data };
      },
      send: (records, items, options) => records.batchCreate(items, options),
    });
  },
});
