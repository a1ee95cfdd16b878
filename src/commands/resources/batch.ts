import type { BatchOperation } from "#contract/resources/batch.ts";
import { command } from "../kit/command.ts";
import { dataSource } from "../kit/input/data.ts";
import { jsonItems } from "./batch/items.ts";
import { batchOptions, batchWords } from "./batch/options.ts";
import { runBatch } from "./batch/run.ts";
import { typeArgument } from "./records/options.ts";
import { withProof } from "./records/record.ts";

const { data: _data, file: _file, ...options } = batchOptions;

export default command({
  path: "resources batch",
  summary: "Create, change and delete many records",
  description:
    "Each item is a JSON object with `op`: create with `data`; update with `id`, `data` and " +
    "`version`; patch with `id` and `data` (RFC 7396); upsert with `property`, `value` and " +
    "`data`, and `replace`; delete with `id`. The items are written in their order, and a record " +
    `may be named once in a request. ${batchWords}`,
  arguments: [
    typeArgument,
    { name: "file", description: "File with the items, as a list or NDJSON; `-` reads stdin" },
  ],
  formats: "rows",
  options,
  calls: ["resources.batch"],
  answer: withProof("resources.batch"),
  examples: ["svc resources batch business-request changes.ndjson"],
  trials: ["street-tree changes.ndjson"],
  async run(input, context) {
    const [{ batchOperation }, { sentForm }] = await Promise.all([
      import("#contract/resources/batch.ts"),
      import("#contract/deployments.ts"),
    ]);
    const { atomic, columns, "tenant-id": workspace } = input.options;
    const { type, file } = input.arguments;
    const { signal } = context;
    const source = await dataSource(context, { file });
    return runBatch<BatchOperation>({
      context,
      workspace,
      type,
      items: jsonItems(source, sentForm(batchOperation)),
      isReplayable: source.isReplayable,
      columns,
      done: "Wrote",
      isAtomic: atomic,
      send: (client, items) => client.useResources(type).batch(items, { atomic, signal }),
    });
  },
});
