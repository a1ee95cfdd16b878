import { shown } from "#cli/shown.ts";
import { command, tenantOption } from "../command.ts";
import { readObject } from "../input/data.ts";
import { noteRest, pageQuery } from "../output/pages.ts";
import { columnNames, columnsOption, printRows } from "../output/rows.ts";
import { resourceColumns } from "./records/columns.ts";
import { Leftovers, recordFields } from "./records/fields.ts";
import { orderFor } from "./records/order.ts";
import {
  cursorOption,
  limitOption,
  pageOption,
  placeWords,
  typeArgument,
  whereOption,
} from "./records/options.ts";

export const resourcesListCommand = command({
  path: "resources list",
  summary: "List records of an Object Type",
  description:
    "Columns are system fields, properties, and dotted paths such as `address.street`. With --all " +
    "every record is one line of JSON (or CSV), page after page, in constant memory. If that " +
    "breaks off, stderr names the cursor to continue from.",
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
        "Field names, separated by commas, `-` first for descending; with `$near` the nearest first",
    },
    where: whereOption,
    cursor: cursorOption,
    all: { type: "boolean", description: "Every record, as NDJSON unless --format is csv" },
    count: {
      type: "boolean",
      description: "Also count all records: `total` in JSON, else on stderr",
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
    const where = await readObject(context, options.where, "--where");
    const client = await context.client({ workspace: options["tenant-id"] });
    const sort = orderFor(input, options.sort, where);
    if (options.all) {
      const { printAllRecords } = await import("./records/all.ts");
      const pageSize = input.given.has("limit") ? options.limit : undefined;
      const query = { type, sort, where, cursor: options.cursor, pageSize };
      return printAllRecords(context, client, { ...query, columns: names });
    }
    const isCsv = output.settings.format === "csv";
    const fields = await recordFields(client, [type], { names, isCsv }, signal);
    const list = await client.useResources(type).list({
      ...pageQuery(options),
      sort,
      where,
      ...(options.count ? { count: true } : {}),
      signal,
    });
    await printRows(output, {
      rows: list.items,
      fields: fields.chosen,
      csvFields: fields.csv,
      none: `No ${type} records${where === undefined ? "" : " match"}${placeWords(options)}`,
      answer: (items) => ({ ...list, items }),
      columns: resourceColumns(list.items),
    });
    if (output.isJson) return;
    if (isCsv && fields.chosen === undefined) {
      const leftovers = new Leftovers(fields.csv);
      leftovers.look(list.items);
      const left = leftovers.words();
      if (left !== undefined) await output.note(shown`${left}`);
    }
    await noteRest(output, list, options, "record");
  },
});
