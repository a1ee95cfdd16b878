import { command } from "../../kit/command.ts";
import { workspaceOption } from "../../kit/workspaces/options.ts";
import { reportArgument, reportLines } from "./fields.ts";

export default command({
  path: "geo report show",
  summary: "Show the question of a report",
  arguments: [reportArgument],
  options: { workspace: workspaceOption },
  calls: ["geoReports.get"],
  answer: "geoReports.get",
  trials: [
    {
      words: "shown-{unique}",
      after: ["geo report create shown-{unique} --dataset wards --degrees 1"],
    },
  ],
  async run(input, context) {
    const { output, signal } = context;
    const client = await context.client({ workspace: input.options.workspace });
    const params = { report: input.arguments.report };
    const report = await client.geoReports.get({ params, signal });
    await output.data(report, () => reportLines(output, report));
  },
});
