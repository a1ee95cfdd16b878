import { missingField } from "#cli/errors.ts";
import { command } from "../../kit/command.ts";
import { workspaceOption } from "../../kit/workspaces/options.ts";
import { partsOf, reportArgument, reportLines, reportOptions } from "./fields.ts";

export default command({
  path: "geo report update",
  summary: "Change the title or the question of a report",
  arguments: [reportArgument],
  options: { ...reportOptions, workspace: workspaceOption },
  calls: ["geoReports.update"],
  answer: "geoReports.update",
  trials: [
    {
      words: "tidy-{unique} --title T",
      after: ["geo report create tidy-{unique} --dataset wards --degrees 1"],
    },
  ],
  async run(input, context) {
    const { output, signal } = context;
    const { options } = input;
    const parts = await partsOf(context, options);
    // A list of items has no metrics, so that those of the former groups go.
    const isList = parts.by?.kind === "nearest" || parts.by?.kind === "buffer";
    const body = isList ? { ...parts, metrics: null } : parts;
    if (Object.keys(body).length === 0) throw missingField("--title", "or another change");
    const client = await context.client({ workspace: options.workspace });
    const params = { report: input.arguments.report };
    const report = await client.geoReports.update({ params, body, signal });
    await output.data(report, () => reportLines(output, report));
  },
});
