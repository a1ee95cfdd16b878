import { command, tenantOption } from "../command.ts";
import { readWhere } from "../input.ts";
import { resourceColumns } from "./columns.ts";

/** `svc resources list <type>` (spec 4.7). */
export const resourcesListCommand = command({
  path: "resources list",
  summary: "List records of an Object Type",
  arguments: [{ name: "type", description: "Exact slug of the Object Type" }],
  options: {
    "tenant-id": tenantOption,
    page: { type: "number", minimum: 1, maximum: 1_000_000, default: 1, description: "Page" },
    limit: { type: "number", minimum: 1, maximum: 500, default: 20, description: "Records a page" },
    sort: {
      type: "string",
      default: "-created_at",
      placeholder: "fields",
      description: "Field names, comma between them, `-` first for descending",
    },
    where: {
      type: "string",
      placeholder: "json",
      description: "Filter with the meaning of MongoDB's query; `-` reads stdin, `@path` a file",
    },
    cursor: {
      type: "string",
      placeholder: "cursor",
      description: "`nextCursor` of the page before; instead of --page",
    },
  },
  routes: ["GET /v4/data/resources/{tenantId}/{objectType}"],
  examples: [
    "svc resources list planning-application",
    `svc resources list planning-application --where '{"status":"open"}' --sort -amount --format json`,
  ],
  async run(input, context) {
    const { options } = input;
    const where = await readWhere(context, options.where);
    const client = await context.client({ workspace: options["tenant-id"] });
    const list = await client.useResources(input.arguments.type).list({
      limit: options.limit,
      sort: options.sort,
      where,
      ...(options.cursor === undefined ? { page: options.page } : { cursor: options.cursor }),
      signal: context.signal,
    });
    const { output } = context;
    await output.data(list, () =>
      list.items.length === 0 ? "" : output.table(list.items, resourceColumns(list.items)),
    );
    if (output.isJson) return;
    if (list.items.length === 0) {
      await output.note(`No ${input.arguments.type} records${where === undefined ? "" : " fit"}`);
    } else if (list.hasNextPage === true) {
      // A page that was asked for by its cursor has no number, so the next one has none either.
      const next =
        options.cursor === undefined
          ? `--page ${(list.page ?? options.page) + 1}`
          : `--cursor ${list.nextCursor ?? ""}`;
      await output.note(output.tone("dim", `More: ${next}`));
    }
  },
});
