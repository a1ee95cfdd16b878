import { catalogError } from "#contract/errors.ts";
import { command } from "../command.ts";
import type { CommandContext } from "../context.ts";
import { readText } from "../input.ts";
import { runBatch } from "./batch.ts";
import { batchOptions, readItems } from "./batch-options.ts";

/** `svc resources batch-delete <type>` (spec 4.7). */
export const resourcesBatchDeleteCommand = command({
  path: "resources batch-delete",
  summary: "Delete many records",
  description:
    "The ids come from --ids, or as a JSON list from --data or --file; one that stands there twice " +
    "is sent once. They are sent 500 at a time, each has an outcome of its own, and the exit code " +
    "is 1 when one was not deleted.",
  arguments: [{ name: "type", description: "Exact slug of the Object Type" }],
  options: {
    ...batchOptions,
    ids: {
      type: "string",
      placeholder: "ids",
      description: "IDs with commas or line ends between them; `-` reads stdin, `@path` a file",
    },
  },
  routes: ["POST /v4/data/resources/{tenantId}/{objectType}/batch/delete"],
  examples: ["svc resources batch-delete licence --ids @old-licences.txt"],
  async run(input, context) {
    const { options } = input;
    const { type } = input.arguments;
    const ids = await readIds(context, options);
    const client = await context.client({ workspace: options["tenant-id"] });
    const { signal } = context;
    return runBatch({
      context,
      client,
      type,
      items: ids,
      done: "Deleted",
      isAtomic: options.atomic,
      send: (chunk) =>
        client.useResources(type).batchDelete(chunk, { atomic: options.atomic, signal }),
    });
  },
});

async function readIds(
  context: CommandContext,
  options: {
    readonly ids?: string | undefined;
    readonly data?: string | undefined;
    readonly file?: string | undefined;
  },
): Promise<string[]> {
  const { uuid } = await import("#contract/values.ts");
  if (options.ids === undefined) {
    if (options.data === undefined && options.file === undefined) {
      throw catalogError("E303", { field: "--ids, --data or --file" });
    }
    return [...new Set(await readItems(context, options, uuid))];
  }
  if (options.data !== undefined || options.file !== undefined) {
    throw catalogError("E305", { details: "--ids excludes --data and --file" });
  }
  const ids = (await readText(context, options.ids, "--ids")).split(/[\s,]+/).filter(Boolean);
  if (ids.length === 0) throw catalogError("E305", { details: "there are no items" });
  ids.forEach((id, index) => {
    if (!uuid.safeParse(id).success) {
      throw catalogError("E302", { details: `#/${index} is not a UUID` });
    }
  });
  return [...new Set(ids)];
}
