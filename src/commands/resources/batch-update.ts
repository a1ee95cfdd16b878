import { command } from "../kit/command.ts";
import { batchOptions, batchWords, csvWords } from "./batch/options.ts";
import { writeRecords } from "./batch/writes.ts";
import { recordOfType } from "./records/listed.ts";
import { typeArgument } from "./records/options.ts";
import { withProof } from "./records/record.ts";

export default command({
  path: "resources batch-update",
  summary: "Replace the data of many records",
  description:
    "Each item is `{ id, data, version }`, where version is the one that the change is based on, " +
    `or a whole record from \`resources list\`. ${csvWords} ${batchWords}`,
  arguments: [typeArgument],
  formats: "rows",
  options: batchOptions,
  calls: ["resources.batchUpdate"],
  answer: withProof("resources.batchUpdate"),
  examples: [
    "svc resources list business-request --all --format csv > requests.csv",
    "svc resources batch-update business-request --file requests.csv",
  ],
  trials: ['street-tree --data [{"id":"{record}","data":{"species":"fir"},"version":1}]'],
  async run(input, context) {
    const [{ batchUpdateItem }, { sentForm }] = await Promise.all([
      import("#contract/resources/batch.ts"),
      import("#contract/deployments.ts"),
    ]);
    const { type } = input.arguments;
    return writeRecords(context, type, input.options, {
      use: "update",
      done: "Updated",
      schema: sentForm(batchUpdateItem),
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
