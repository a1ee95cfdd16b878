import { textOption } from "#cli/command.ts";
import type { DistinctValue } from "#contract/resources/reads/distinct.ts";
import { given } from "#lib/given.ts";
import { shellWord } from "#lib/text/shell-word.ts";
import { command } from "../kit/command.ts";
import { readObject } from "../kit/input/data.ts";
import { limitOption, whereOption } from "../kit/output/pages.ts";
import {
  chosenFields,
  columnsOption,
  fieldsNamed,
  printRows,
  valueText,
} from "../kit/output/rows.ts";
import { tenantOption } from "../kit/workspaces/options.ts";
import { typeArgument } from "./records/options.ts";

const fields = fieldsNamed<DistinctValue>("value", "count");

export default command({
  path: "resources distinct",
  summary: "List the values of a property with the number of records that have each",
  description: "Each item of a list is a value. Records without a value are not counted.",
  arguments: [typeArgument, { name: "property", description: "Property or system field" }],
  formats: "rows",
  options: {
    "tenant-id": tenantOption,
    where: whereOption,
    order: {
      type: "string",
      values: ["count", "value"],
      default: "count",
      description: "The most frequent value first, or by value",
    },
    limit: limitOption("Values"),
    cursor: textOption("cursor", "`nextCursor` of the previous page"),
    columns: columnsOption,
  },
  calls: ["resources.distinct"],
  answer: "resources.distinct",
  examples: ["svc resources distinct planning-application status"],
  trials: ["street-tree species"],
  async run(input, context) {
    const { options } = input;
    const { type, property } = input.arguments;
    const { output, signal } = context;
    const chosen = chosenFields(options.columns, fields);
    const where = await readObject(context, options.where, "--where");
    const client = await context.client({ workspace: options["tenant-id"] });
    const { order, limit, cursor } = options;
    const page = await client
      .useResources(type)
      .distinct(property, { order, limit, ...given({ where, cursor }), signal });
    await printRows(output, {
      rows: page.items,
      fields: chosen,
      csvFields: fields,
      none: "No records have a value",
      answer: (items) => ({ ...page, items }),
      columns: [
        { heading: property, value: ({ value }) => valueText(value) },
        { heading: "records", value: ({ count }) => count, align: "right", whole: true },
      ],
    });
    if (output.isJson || typeof page.nextCursor !== "string") return;
    await output.note(output.tone("dim", `More: --cursor ${shellWord(page.nextCursor)}`));
  },
});
