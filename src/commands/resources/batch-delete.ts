import { missingField } from "#cli/errors.ts";
import { command } from "../kit/command.ts";
import { dataSource, textSource } from "../kit/input/data.ts";
import { distinct, idItems, jsonItems } from "./batch/items.ts";
import { batchOptions, batchWords } from "./batch/options.ts";
import { runBatch } from "./batch/run.ts";
import { recordOfType } from "./records/listed.ts";
import { typeArgument } from "./records/options.ts";
import { withProof } from "./records/record.ts";

export default command({
  path: "resources batch-delete",
  summary: "Delete many records",
  description:
    "The IDs come from --ids, or as JSON from --data or --file, where a whole record means its " +
    `ID. Duplicate IDs are sent once. ${batchWords}`,
  arguments: [typeArgument],
  formats: "rows",
  options: {
    ...batchOptions,
    ids: {
      type: "string",
      placeholder: "ids",
      description: "IDs, separated by commas or line ends; `-` reads stdin, `@path` a file",
      excludes: ["data", "file"],
    },
  },
  calls: ["resources.batchDelete"],
  answer: withProof("resources.batchDelete"),
  examples: ["svc resources batch-delete business-request --ids @old-requests.txt"],
  trials: [
    "street-tree --ids {record}",
    { words: 'street-tree --data ["{record}"]', at: ["other"] },
  ],
  async run(input, context) {
    const { atomic, columns, ids, ...options } = input.options;
    const { type } = input.arguments;
    const { signal } = context;
    const hasData = options.data !== undefined || options.file !== undefined;
    if (ids === undefined && !hasData) throw missingField("--ids, --data or --file");
    const source =
      ids === undefined
        ? await dataSource(context, options)
        : await textSource(context, ids, "--ids");
    const { opaqueId } = await import("#contract/values.ts");
    const idOf = (value: unknown, index: number): unknown =>
      recordOfType(value, type, `#/${index}`)?.id ?? value;
    return runBatch({
      context,
      workspace: options["tenant-id"],
      type,
      items: distinct(
        ids === undefined ? jsonItems(source, opaqueId, idOf) : idItems(source, opaqueId),
      ),
      isReplayable: source.isReplayable,
      columns,
      done: "Deleted",
      isAtomic: atomic,
      send: (client, items) => client.useResources(type).batchDelete(items, { atomic, signal }),
    });
  },
});
