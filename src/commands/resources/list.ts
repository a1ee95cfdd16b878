import { shown } from "#cli/shown.ts";
import { OutputClosed, OutputFailed } from "#cli/output/output.ts";
import type { SelectionOptions } from "#client/records/selection.ts";
import type { Client } from "#client/surface.ts";
import type { Collation } from "#contract/resources/reads/collation.ts";
import type { Resource } from "#contract/resources/resources.ts";
import type { JsonObject } from "#contract/values.ts";
import { counted } from "#lib/text/counted.ts";
import { shellWord } from "#lib/text/shell-word.ts";
import { command } from "../kit/command.ts";
import { tenantOption } from "../kit/workspaces/options.ts";
import { readObject } from "../kit/input/data.ts";
import { collationOption, noteRest, pageQuery, placeWords } from "../kit/output/pages.ts";
import { columnNames, columnsOption, printRows, RowWriter } from "../kit/output/rows.ts";
import { resourceColumns } from "./records/columns.ts";
import { Leftovers, recordFields } from "./records/fields.ts";
import { orderFor } from "./records/order.ts";
import { selectionIn, selectionOptions, typeArgument } from "./records/options.ts";
import type { CommandContext } from "../kit/context.ts";

/** Written characters per page; a few pages are in memory. */
const pageCharacters = 2 * 1024 * 1024;
const firstPageSize = 20;
const largestPageSize = 500;

interface AllRecords {
  readonly type: string;
  readonly sort: string | undefined;
  readonly where: JsonObject | undefined;
  readonly collation: Collation | undefined;
  /** The place to start from, e.g. after an earlier call broke off. */
  readonly cursor: string | undefined;
  /** Records per page; by default as many as fit into a bounded page. */
  readonly pageSize: number | undefined;
  readonly columns: readonly string[] | undefined;
  readonly selection: SelectionOptions;
}

export default command({
  path: "resources list",
  summary: "List records of an Object Type",
  description:
    "Columns are system fields, properties, and dotted paths such as `address.street`. With " +
    "--all every record is one line of JSON (or CSV), page after page, in constant memory. If " +
    "that breaks off, stderr names the cursor to continue from.",
  arguments: [typeArgument],
  formats: "rows",
  options: {
    "tenant-id": tenantOption,
    columns: columnsOption,
    collation: collationOption,
    ...selectionOptions,
  },
  pages: {
    of: "Records",
    sort: "-created_at",
    sortWords: "; with `$near` the nearest first",
    where: true,
    all: "Every record, as NDJSON unless --format is csv",
    count: "Also count all records: `total` in JSON, else on stderr",
  },
  calls: ["resources.list", "objectTypes.schema"],
  answer: "resources.list",
  examples: [
    "svc resources list planning-application",
    `svc resources list planning-application --where '{"status":"open"}' --sort -fee --format json`,
    "svc resources list planning-application --all --columns id,reference,status --format csv",
  ],
  trials: [
    "street-tree",
    "street-tree --limit 2 --page 2 --sort species",
    'street-tree --where {"species":"oak"}',
    {
      words: "street-tree --sort -height --columns id,species --tenant-id {workspace}",
      at: ["other"],
    },
  ],
  async run(input, context) {
    const { options } = input;
    const { type } = input.arguments;
    const { output, signal } = context;
    const names = columnNames(options.columns);
    const where = await readObject(context, options.where, "--where");
    const client = await context.client({ workspace: options["tenant-id"] });
    const sort = orderFor(input, options.sort, where);
    const selection = selectionIn(options);
    const { collation } = options;
    if (options.all) {
      const pageSize = input.given.has("limit") ? options.limit : undefined;
      const query = { type, sort, where, collation, cursor: options.cursor, pageSize };
      return printAllRecords(context, client, { ...query, columns: names, selection });
    }
    const isCsv = output.settings.format === "csv";
    const fields = await recordFields(client, [type], { names, isCsv }, signal);
    const list = await client.useResources(type).list({
      ...pageQuery(options),
      sort,
      where,
      collation,
      ...(options.count ? { count: true } : {}),
      ...selection,
      signal,
    });
    await printRows(output, {
      rows: list.items,
      fields: fields.chosen,
      csvFields: fields.csv,
      none: `No ${type} records${where === undefined ? "" : " match"}${placeWords(options)}`,
      answer: (items) => ({ ...list, items }),
      columns: () => output.table(list.items, resourceColumns(list.items)),
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

/**
 * Writes every record as NDJSON or CSV. It writes a page while the next one is fetched, so a few
 * pages are in memory. If a page fails, all written lines are whole, and stderr names the cursor to
 * continue from.
 */
async function printAllRecords(
  { output, signal }: CommandContext,
  client: Client,
  query: AllRecords,
): Promise<void> {
  const { type, sort, where, collation, columns } = query;
  output.openStream();
  const isCsv = output.settings.format === "csv";
  const fields = await recordFields(client, [type], { names: columns, isCsv }, signal);
  const writer = new RowWriter<Resource>(
    output,
    isCsv
      ? { format: "csv", fields: fields.chosen ?? fields.csv }
      : { format: "ndjson", fields: fields.chosen },
  );
  const leftovers = isCsv && fields.chosen === undefined ? new Leftovers(fields.csv) : undefined;
  let { cursor, pageSize = firstPageSize } = query;
  let written = 0;
  try {
    const pages = client.useResources(type).pages({
      sort,
      where,
      collation,
      cursor,
      pageSize: () => pageSize,
      readAhead: true,
      ...query.selection,
      signal,
    });
    for await (const { items, nextCursor } of pages) {
      const characters = await writer.write(items);
      written += items.length;
      leftovers?.look(items);
      cursor = nextCursor ?? undefined;
      if (query.pageSize === undefined && items.length > 0) {
        const fitting = Math.floor((pageCharacters * items.length) / Math.max(1, characters));
        pageSize = Math.min(largestPageSize, Math.max(1, fitting));
      }
      // On a terminal the lines themselves show the progress.
      if (!output.stdoutIsTerminal) await output.progress(`${written} ${type}`);
    }
  } catch (error) {
    if (!(error instanceof OutputClosed) && cursor !== undefined) {
      // A failed device may have written a part of the next page.
      const words =
        error instanceof OutputFailed
          ? `The first ${written} records are complete: delete the rest of the output`
          : `Complete so far: ${counted(written, "record")}`;
      const place = shellWord(cursor);
      await output.note(shown`${words}. To continue: --all --cursor ${place}`);
    }
    throw error;
  }
  const left = leftovers?.words();
  if (left !== undefined) await output.note(shown`${left}`);
  if (written === 0)
    await output.note(shown`No ${type} records${where === undefined ? "" : " match"}`);
}
