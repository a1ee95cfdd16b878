import { textOption } from "#cli/command.ts";
import { inputError } from "#cli/errors.ts";
import { shown } from "#cli/shown.ts";
import { catalogError } from "#contract/errors.ts";

import { command } from "../kit/command.ts";
import { readObject } from "../kit/input/data.ts";
import { wholeOutputPath } from "../kit/input/files.ts";
import { columnNames, columnsOption } from "../kit/output/rows.ts";
import { written } from "../kit/output/written.ts";
import { tenantOption } from "../kit/workspaces/options.ts";
import { typeArgument } from "./records/options.ts";

const formats = ["csv", "ndjson", "json", "xlsx"] as const;

export default command({
  path: "resources export",
  summary: "Write records to a CSV, XLSX, JSON or NDJSON file",
  description:
    "The file has every record that matches, and appears once it is whole. `resources import` " +
    "reads it. CSV and XLSX have a column for each property; an XLSX has numbers and dates as " +
    "such, lists and objects as JSON, and at most 1,048,575 records. JSON and NDJSON have whole " +
    "records.",
  arguments: [typeArgument, { name: "file", description: "Path of the file; it is replaced" }],
  options: {
    "tenant-id": tenantOption,
    "file-format": {
      type: "string",
      values: formats,
      description: "Format of the file (default: by its extension)",
    },
    columns: columnsOption,
    where: textOption("json", "Filter as JSON; `-` reads stdin, `@path` a file"),
    sort: textOption("names", "Field names separated by commas, `-` first for descending"),
  },
  calls: ["resources.list", "objectTypes.schema"],
  answer: ({ z }) =>
    z.strictObject({ output: z.string(), format: z.enum(formats), records: z.int().min(0) }),
  examples: [
    "svc resources export business-request requests.xlsx",
    `svc resources export business-request open.csv --where '{"status":"open"}'`,
  ],
  trials: ["street-tree trees-{unique}.csv", "street-tree trees-{unique}.xlsx --columns species"],
  async run({ arguments: { type, file }, options }, context) {
    const { signal, output } = context;
    const { columns, sort } = options;
    const [{ TableFile, formatOfName }, { recordFields }, { recordCells }] = await Promise.all([
      import("./tables/table-file.ts"),
      import("./records/fields.ts"),
      import("./tables/record-cells.ts"),
    ]);
    const format = options["file-format"] ?? formatOfName(file);
    if (format === undefined) {
      throw inputError(`${file} names no format`, `Give --file-format ${formats.join("|")}`);
    }
    const path = wholeOutputPath(context, file);
    const where = await readObject(context, options.where, "--where");
    const client = await context.client({ workspace: options["tenant-id"] });
    const { objectTypes } = await client.objectTypes.schema({ signal });
    const definition = objectTypes.find(({ slug }) => slug === type);
    if (definition === undefined) throw catalogError("E202", { resource: `Object Type ${type}` });
    const names = columnNames(columns);
    const fields = await recordFields(client, [type], { names, isCsv: true }, signal);
    const chosen = fields.chosen ?? fields.csv;
    const header = chosen.map(({ name }) => name);
    let records = 0;
    await written(file, async () => {
      const table = await TableFile.create(path, format, { header, sheet: type });
      try {
        const pages = client.useResources(type).pages({
          sort: sort ?? "-created_at",
          where,
          pageSize: 500,
          readAhead: true,
          signal,
        });
        for await (const { items } of pages) {
          const isTable = format === "csv" || format === "xlsx";
          const cells = (at: number) => {
            const item = items[at];
            return isTable && item !== undefined ? recordCells(item, chosen, definition) : [];
          };
          await table.write(
            items.map((item, at) => ({
              cells: cells(at),
              value:
                fields.chosen === undefined
                  ? item
                  : Object.fromEntries(fields.chosen.map(({ name, value }) => [name, value(item)])),
            })),
          );
          records += items.length;
          await output.progress(`${records} ${type}`);
        }
        await table.commit();
      } catch (error) {
        await table.discard();
        throw error;
      }
    });
    await output.data({ output: path, format, records }, () => [
      shown`${String(records)} ${type} in ${path}`,
    ]);
  },
});
