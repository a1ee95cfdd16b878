import { given } from "#lib/given.ts";
import { command } from "../../kit/command.ts";
import { workspaceOption } from "../../kit/workspaces/options.ts";
import { definitionIn, partsOf, reportLines, reportOptions } from "./fields.ts";

export default command({
  path: "geo report create",
  summary: "Create a report about records or features by place",
  arguments: [{ name: "report", description: "Name in paths, such as trees-by-ward" }],
  options: { ...reportOptions, workspace: workspaceOption },
  calls: ["geoReports.create"],
  answer: "geoReports.create",
  examples: [
    "svc geo report create by-cell --type planning-application --property location --metres 5000",
  ],
  trials: ["cells-{unique} --dataset wards --degrees 1"],
  async run(input, context) {
    const { output, signal } = context;
    const { options } = input;
    const { title, description, schedule, ...parts } = await partsOf(context, options);
    const described = given({ title, description, schedule: schedule ?? undefined });
    const body = { report: input.arguments.report, ...described, ...definitionIn(parts) };
    const client = await context.client({ workspace: options.workspace });
    const report = await client.geoReports.create({ body, signal });
    await output.data(report, () => reportLines(output, report));
  },
});
