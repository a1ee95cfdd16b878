import { textOption } from "#cli/command.ts";
import type { Column } from "#cli/output/table.ts";
import { catalogError } from "#contract/errors.ts";
import type { AggregateAnswer } from "#contract/resources/reads/aggregate.ts";
import { given } from "#lib/given.ts";
import { barText } from "#lib/text/bar.ts";
import { pointer } from "#lib/json/pointer.ts";
import { defaultAggregateLimit, maximumAggregateLimit } from "#contract/limits.ts";
import { command } from "../kit/command.ts";
import { tenantOption } from "../kit/workspaces/options.ts";
import type { CommandContext } from "../kit/context.ts";
import { parseJson, readObject, readText } from "../kit/input/data.ts";
import {
  chosenFields,
  columnsOption,
  nameList,
  printRows,
  valueText,
  type Field,
} from "../kit/output/rows.ts";
import { typeArgument } from "./records/options.ts";
import { limitOption, whereOption } from "../kit/output/pages.ts";

export default command({
  path: "resources aggregate",
  summary: "Compute metrics over groups of records",
  description:
    "Metrics are a JSON object of names, each with an op (count, sum, avg, min, max, " +
    "count_distinct) and a field. In text, a bar shows the first metric.",
  arguments: [typeArgument],
  formats: "rows",
  options: {
    "tenant-id": tenantOption,
    "group-by": { ...textOption("fields", "Fields, separated by commas"), required: true },
    metrics: {
      type: "string",
      required: true,
      placeholder: "json",
      description: "Metrics to compute; `-` reads stdin, `@path` a file",
    },
    where: whereOption,
    limit: limitOption("Rows", maximumAggregateLimit, defaultAggregateLimit),
    columns: columnsOption,
  },
  calls: ["resources.aggregate"],
  answer: "resources.aggregate",
  examples: [
    "svc resources aggregate planning-application --group-by status --metrics " +
      '\'{"n":{"op":"count"},"fees":{"op":"sum","field":"fee"}}\'',
  ],
  trials: [
    'street-tree --group-by species --metrics {"n":{"op":"count"}}',
    {
      words:
        "street-tree --group-by species,height --limit 2 " +
        '--metrics {"n":{"op":"count"}} --where {"species":"elm"}',
      at: ["other"],
    },
  ],
  async run(input, context) {
    const { options } = input;
    const { aggregation } = await import("#contract/resources/reads/aggregate.ts");
    const { schemaFaults } = await import("#contract/schema-faults.ts");
    const metrics = aggregation.shape.metrics.safeParse(
      parseJson(await readText(context, options.metrics, "--metrics"), "--metrics"),
    );
    if (!metrics.success) {
      const [fault] = schemaFaults(metrics.error);
      const place = pointer(...(fault?.path ?? []));
      throw catalogError("E302", { details: `--metrics ${place} ${fault?.detail ?? ""}` });
    }
    const groupBy = nameList("--group-by", options["group-by"]);
    const names = Object.keys(metrics.data);
    const fields = fieldsOf(groupBy, names);
    const chosen = chosenFields(options.columns, fields);
    const where = await readObject(context, options.where, "--where");
    const client = await context.client({ workspace: options["tenant-id"] });
    const answer = await client.resources.aggregate({
      params: { objectType: input.arguments.type },
      body: {
        groupBy,
        metrics: metrics.data,
        limit: options.limit,
        ...given({ where }),
      },
      signal: context.signal,
    });
    const { output } = context;
    await printRows(output, {
      rows: answer.rows,
      fields: chosen,
      csvFields: fields,
      none: "No records match",
      answer: (rows) => ({ ...answer, rows }),
      columns: columnsOf(context, answer, groupBy, names),
    });
    if (output.isJson || answer.truncated !== true) return;
    await output.note(output.tone("dim", `More than ${options.limit} groups: raise --limit`));
  },
});

type Row = AggregateAnswer["rows"][number];

/** A deployment may send groups and metrics in one flat row. */
function groupOf(row: Row, name: string): unknown {
  return Object.hasOwn(row.group, name) ? row.group[name] : row[name];
}

function metricOf(row: Row, name: string): unknown {
  return Object.hasOwn(row.metrics, name) ? row.metrics[name] : row[name];
}

function fieldsOf(groupBy: readonly string[], names: readonly string[]): Field<Row>[] {
  return [
    ...groupBy.map((name) => ({ name, value: (row: Row) => groupOf(row, name) })),
    ...names.map((name) => ({ name, value: (row: Row) => metricOf(row, name) })),
  ];
}

const gap = 2;
const narrowestBar = 8;
const widestBar = 40;

function columnsOf(
  { output }: CommandContext,
  { rows }: AggregateAnswer,
  groupBy: readonly string[],
  names: readonly string[],
): Column<Row>[] {
  const columns: Column<Row>[] = [
    ...groupBy.map((name) => ({
      heading: name,
      value: (row: Row) => {
        const value = groupOf(row, name);
        return value === null ? "(none)" : valueText(value);
      },
    })),
    ...names.map((name) => ({
      heading: name,
      value: (row: Row) => valueText(metricOf(row, name)),
      align: "right" as const,
      whole: true as const,
    })),
  ];
  const [first] = names;
  const figures = rows.map((row) => (first === undefined ? undefined : metricOf(row, first)));
  const most = Math.max(0, ...figures.map((figure) => (typeof figure === "number" ? figure : 0)));
  const used = columns.reduce((all, column) => {
    const widths = rows.map((row) => Bun.stringWidth(String(column.value(row) ?? "")));
    return all + gap + Math.max(column.heading.length, ...widths);
  }, 0);
  const width = output.stdoutIsTerminal ? Math.min(widestBar, output.columns - used) : widestBar;
  if (output.settings.simple || most <= 0 || width < narrowestBar) return columns;
  const bar = (row: Row): string => {
    const figure = first === undefined ? undefined : metricOf(row, first);
    return typeof figure === "number" ? barText(figure / most, width) : "";
  };
  return [...columns, { heading: "", value: bar, optional: true }];
}
