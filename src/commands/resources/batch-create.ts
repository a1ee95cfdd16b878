import { command } from "../kit/command.ts";
import { batchOptions, batchWords, csvWords } from "./batch/options.ts";
import { writeRecords } from "./batch/writes.ts";
import { listedRecord } from "./records/listed.ts";
import { typeArgument } from "./records/options.ts";
import { withProof } from "./records/record.ts";

export default command({
  path: "resources batch-create",
  summary: "Create many records",
  description:
    "Each item is the record's data, `{ data }`, or a whole record from `resources list`, whose " +
    `data are used. ${csvWords} ${batchWords}`,
  arguments: [typeArgument],
  formats: "rows",
  options: batchOptions,
  calls: ["resources.batchCreate"],
  answer: withProof("resources.batchCreate"),
  examples: [
    "svc resources batch-create business-request --file requests.json",
    "svc resources batch-create business-request --file requests.csv",
  ],
  trials: ['street-tree --data [{"species":"fir"},{"species":"box"}]'],
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
