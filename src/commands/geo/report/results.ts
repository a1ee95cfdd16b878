import { command } from "../../kit/command.ts";
import { pageQuery, printPage } from "../../kit/output/pages.ts";
import { workspaceOption } from "../../kit/workspaces/options.ts";
import { reportArgument } from "./fields.ts";

export default command({
  path: "geo report results",
  summary: "List the stored results of a report, the newest first",
  rows: ["items"],
  arguments: [reportArgument],
  options: { workspace: workspaceOption },
  pages: { of: "Results" },
  calls: ["geoReports.results"],
  answer: "geoReports.results",
  trials: [
    {
      words: "kept-{unique}",
      after: ["geo report create kept-{unique} --dataset wards --degrees 1"],
    },
  ],
  async run(input, context) {
    const { output, signal } = context;
    const { options } = input;
    const client = await context.client({ workspace: options.workspace });
    const params = { report: input.arguments.report };
    const list = await client.geoReports.results({ params, query: pageQuery(options), signal });
    await printPage(output, list, {
      options,
      none: "This report has no stored results",
      columns: [
        { heading: "result", value: ({ result }) => result, whole: true },
        { heading: "status", value: ({ status }) => status, whole: true },
        { heading: "rows", value: ({ rowCount }) => rowCount?.toString() },
        { heading: "by", value: ({ scheduled }) => (scheduled === true ? "schedule" : "request") },
        { heading: "finished", value: (item) => item.finished_at ?? undefined, whole: true },
        { heading: "error", value: ({ error }) => error?.message, optional: true },
      ],
    });
  },
});
