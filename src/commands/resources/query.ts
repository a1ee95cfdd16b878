import { textOption } from "#cli/command.ts";
import { given } from "#lib/given.ts";
import { shellWord } from "#lib/text/shell-word.ts";
import { command } from "../kit/command.ts";
import { tenantOption } from "../kit/workspaces/options.ts";
import { readObject } from "../kit/input/data.ts";
import { columnNames, columnsOption, nameList, printRows } from "../kit/output/rows.ts";
import { resourceColumns } from "./records/columns.ts";
import { recordFields } from "./records/fields.ts";
import { selectionIn, selectionOptions, typesOption } from "./records/options.ts";
import {
  collationOption,
  goesOn,
  limitOption,
  placeWords,
  whereOption,
} from "../kit/output/pages.ts";
import { orderFor } from "./records/order.ts";

export default command({
  path: "resources query",
  summary: "Find records of several Object Types",
  arguments: [],
  formats: "rows",
  options: {
    "tenant-id": tenantOption,
    types: { ...typesOption, required: true },
    where: whereOption,
    sort: {
      type: "string",
      default: "-created_at",
      placeholder: "fields",
      description:
        "Fields that all types have, `-` first for descending; with `$near` the nearest first",
    },
    collation: collationOption,
    limit: limitOption("Records"),
    cursor: textOption("cursor", "`nextCursor` of the previous page"),
    columns: columnsOption,
    ...selectionOptions,
  },
  calls: ["resources.query", "objectTypes.schema"],
  answer: "resources.query",
  examples: [
    "svc resources query --types planning-application,business-request --where " +
      '\'{"status":"open"}\' --limit 50',
  ],
  trials: [
    "--types street-tree,felling-permit",
    { words: '--types street-tree --where {"species":"elm"} --limit 1', at: ["other"] },
  ],
  async run(input, context) {
    const { options } = input;
    const types = nameList("--types", options.types);
    const { output, signal } = context;
    const names = columnNames(options.columns);
    const where = await readObject(context, options.where, "--where");
    const client = await context.client({ workspace: options["tenant-id"] });
    const isCsv = output.settings.format === "csv";
    const fields = await recordFields(client, types, { names, isCsv }, signal);
    const { selectedItems, selectionInput } = await import("#client/records/selection.ts");
    const selection = selectionIn(options);
    const answer = await client.resources.query({
      body: {
        types,
        sort: orderFor(input, options.sort, where),
        limit: options.limit,
        ...given({
          where,
          collation: options.collation,
          cursor: options.cursor,
          ...selectionInput(selection),
        }),
      },
      signal,
    });
    const list = selectedItems(answer, "items", selection);
    const [id, ...columns] = resourceColumns(list.items);
    await printRows(output, {
      rows: list.items,
      fields: fields.chosen,
      csvFields: fields.csv,
      none: `No records match${placeWords(options)}`,
      answer: (items) => ({ ...list, items }),
      columns: [
        ...(id === undefined ? [] : [id]),
        { heading: "type", value: (row) => row.type, whole: true },
        ...columns,
      ],
    });
    if (output.isJson || typeof list.nextCursor !== "string" || !goesOn(list, {})) return;
    await output.note(output.tone("dim", `More: --cursor ${shellWord(list.nextCursor)}`));
  },
});
