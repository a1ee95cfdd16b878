import { textOption } from "#cli/command.ts";
import { missingField } from "#cli/errors.ts";
import type { Client } from "#client/index.ts";
import { catalogError } from "#contract/errors.ts";
import { shown, type Shown } from "#cli/shown.ts";
import type { Output } from "#cli/output/output.ts";
import type { ReportResult } from "#contract/geo/reports.ts";
import { saveAtomically } from "#lib/files/atomic-write.ts";
import { command } from "../../kit/command.ts";
import { wholeOutputPath } from "../../kit/input/files.ts";
import { written } from "../../kit/output/written.ts";
import { workspaceOption } from "../../kit/workspaces/options.ts";
import { reportArgument } from "./fields.ts";

export default command({
  path: "geo report run",
  summary: "Run a report, and show its rows or save them as GeoJSON, CSV or a map",
  arguments: [reportArgument],
  options: {
    as: {
      type: "string",
      values: ["geojson", "csv", "svg"],
      description: "Form of the file of --output: outlines of areas and cells, rows, or a map",
    },
    output: textOption("file", "The file to write; an existing one is replaced"),
    result: textOption("id", "Show this stored result; `svc geo report results`"),
    background: { type: "boolean", description: "Make a stored result as a job, if it is large" },
    workspace: workspaceOption,
  },
  calls: ["geoReports.run", "geoReports.startResult", "geoReports.result"],
  answer: ({ z }) =>
    z.looseObject({
      report: z.string(),
      rows: z.array(z.looseObject({ key: z.string() })).optional(),
      result: z.string().optional().describe("The stored result"),
      status: z.string().optional().describe("The state of the stored result"),
      output: z.string().optional().describe("The written file"),
    }),
  examples: ["svc geo report run by-cell --as csv --output cells.csv"],
  trials: [
    {
      words: "rows-{unique}",
      after: [
        "geo datasets create rows-{unique}",
        "geo report create rows-{unique} --dataset rows-{unique} --degrees 1",
      ],
    },
    {
      words: "made-{unique} --background",
      after: [
        "geo datasets create made-{unique}",
        "geo report create made-{unique} --dataset made-{unique} --degrees 1",
      ],
    },
    { words: "rows --result {id}", at: ["stub"] },
  ],
  async run(input, context) {
    const { output, signal } = context;
    const { report } = input.arguments;
    const { as: form, output: file, result: stored, background, workspace } = input.options;
    if ((form === undefined) !== (file === undefined)) {
      throw missingField(form === undefined ? "--as" : "--output", "--as and --output go together");
    }
    const client = await context.client({ workspace });
    if (background === true) {
      const started = await client.geoReports.startResult({ params: { report }, signal });
      await output.data({ ...started, report }, () => [
        shown`Making the result ${started.result}`,
        shown`Show it: svc geo report run ${report} --result ${started.result}`,
      ]);
      return;
    }
    if (form === undefined || file === undefined) {
      const result =
        stored === undefined
          ? await client.geoReports.run({ params: { report }, signal })
          : await storedResult(client, { report, result: stored }, signal);
      await output.data(result, () => resultLines(output, result));
      return;
    }
    const path = wholeOutputPath(context, file);
    const response = await client.reportFile(report, form, { result: stored, signal });
    const { readContent } = await import("#client/files/content.ts");
    const content = readContent(response, undefined, signal);
    await written(path, () => saveAtomically(path, content.chunks()));
    await output.data({ report, output: path }, () => shown`Saved the report ${report} in ${path}`);
  },
});

/** The rows of a stored result; E203 for one that has failed or is not ready yet. */
async function storedResult(
  client: Client,
  params: { readonly report: string; readonly result: string },
  signal: AbortSignal,
): Promise<ReportResult> {
  const { rows, error, status, ...facts } = await client.geoReports.result({ params, signal });
  if (rows !== undefined) return { ...facts, report: params.report, rows };
  const reason = error?.message ?? `it is ${status}`;
  throw catalogError("E203", { details: `The result has no rows: ${reason}` });
}

function resultLines(output: Output, { rows, items, placed }: ReportResult): Shown[] {
  const names = [...new Set(rows.flatMap(({ metrics = {} }) => Object.keys(metrics)))];
  const table = output.table(rows, [
    { heading: "key", value: ({ key }) => key, whole: true },
    { heading: "name", value: ({ name }) => name ?? undefined, optional: true },
    { heading: "metres", value: ({ distance }) => distance?.toString(), optional: true },
    ...names.map((name) => ({
      heading: name,
      value: ({ metrics = {} }: ReportResult["rows"][number]) => JSON.stringify(metrics[name]),
    })),
    {
      heading: "properties",
      value: ({ properties }) => properties && JSON.stringify(properties),
      optional: true,
    },
  ]);
  const counts = shown`${(placed ?? 0).toString()} of ${(items ?? 0).toString()} items are in a row`;
  return [...table, output.tone("dim", counts)];
}
