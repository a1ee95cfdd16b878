import { counted } from "#lib/counted.ts";
import { shellWord } from "#lib/shell-word.ts";
import { command, tenantOption } from "../command.ts";
import { readWhere } from "../input.ts";
import { columnNames, columnsOption, printRows } from "../rows.ts";
import { resourceColumns } from "./columns.ts";
import { Leftovers, recordFields } from "./fields.ts";
import { orderFor } from "./order.ts";
import {
  cursorOption,
  limitOption,
  pageOption,
  placeWords,
  typeArgument,
  whereOption,
} from "./options.ts";

/** `svc resources list <type>` (spec 4.7). */
export const resourcesListCommand = command({
  path: "resources list",
  summary: "List records of an Object Type",
  description:
    "Columns are system fields, properties, and dotted paths into them, as `address.street`. " +
    "With --all every record comes, page after page, one line of JSON each (or as CSV): memory " +
    "stays flat however many there are. Where that breaks off, stderr names the cursor to go on " +
    "from.",
  arguments: [typeArgument],
  formats: "rows",
  options: {
    "tenant-id": tenantOption,
    page: pageOption("cursor", "all"),
    limit: limitOption("Records per page"),
    sort: {
      type: "string",
      default: "-created_at",
      placeholder: "fields",
      description:
        "Field names, separated by commas, `-` first for descending; the nearest first with `$near`",
    },
    where: whereOption,
    cursor: cursorOption,
    all: { type: "boolean", description: "Every record, as NDJSON unless CSV is asked for" },
    count: {
      type: "boolean",
      description: "Count all of them as well: `total` in JSON, else on stderr",
      excludes: ["all"],
    },
    columns: columnsOption,
  },
  routes: [
    "GET /v4/data/resources/{tenantId}/{objectType}",
    "GET /v4/data/resources/schema/{tenantId}",
  ],
  examples: [
    "svc resources list planning-application",
    `svc resources list planning-application --where '{"status":"open"}' --sort -fee --format json`,
    "svc resources list planning-application --all --columns id,reference,status --format csv",
  ],
  async run(input, context) {
    const { options } = input;
    const { type } = input.arguments;
    const { output, signal } = context;
    const names = columnNames(options.columns);
    const where = await readWhere(context, options.where);
    const client = await context.client({ workspace: options["tenant-id"] });
    const { cursor } = options;
    const sort = orderFor(input, options.sort, where);
    if (options.all) {
      const { printAllRecords } = await import("./all-records.ts");
      const pageSize = input.given.has("limit") ? options.limit : undefined;
      return printAllRecords({
        context,
        client,
        type,
        sort,
        where,
        cursor,
        pageSize,
        columns: names,
      });
    }
    const isCsv = output.settings.format === "csv";
    const fields = await recordFields(client, [type], { names, isCsv }, signal);
    const list = await client.useResources(type).list({
      limit: options.limit,
      sort,
      where,
      ...(cursor === undefined ? { page: options.page } : { cursor }),
      ...(options.count ? { count: true } : {}),
      signal,
    });
    await printRows(output, {
      rows: list.items,
      fields: fields.chosen,
      csvFields: fields.csv,
      none: `No ${type} records${where === undefined ? "" : " fit"}${placeWords(options)}`,
      answer: (items) => ({ ...list, items }),
      columns: resourceColumns(list.items),
    });
    if (output.isJson) return;
    if (isCsv && fields.chosen === undefined) {
      const leftovers = new Leftovers(fields.csv);
      leftovers.look(list.items);
      const left = leftovers.words();
      if (left !== undefined) await output.note(output.plain(left));
    }
    if (list.total !== undefined && list.total > 0) {
      await output.note(`${counted(list.total, "record")} in all`);
    }
    if (list.items.length === 0 || list.hasNextPage !== true) return;
    // A page that was asked for by its cursor has no number, so the next one has none either.
    const next =
      cursor === undefined
        ? `--page ${(list.page ?? options.page) + 1}`
        : `--cursor ${shellWord(list.nextCursor ?? "")}`;
    await output.note(output.tone("dim", `More: ${next}`));
  },
});
