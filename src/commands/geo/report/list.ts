import { command } from "../../kit/command.ts";
import { pageQuery, printPage } from "../../kit/output/pages.ts";
import { workspaceOption } from "../../kit/workspaces/options.ts";

export default command({
  path: "geo report list",
  summary: "List the reports of a workspace, the newest first",
  rows: ["items"],
  arguments: [],
  options: { workspace: workspaceOption },
  pages: { of: "Reports" },
  calls: ["geoReports.list"],
  answer: "geoReports.list",
  examples: ["svc geo report list"],
  async run({ options }, context) {
    const { output, signal } = context;
    const client = await context.client({ workspace: options.workspace });
    const list = await client.geoReports.list({ query: pageQuery(options), signal });
    await printPage(output, list, {
      options,
      none: "This workspace has no reports",
      columns: [
        { heading: "report", value: ({ report }) => report, whole: true },
        { heading: "title", value: ({ title }) => title },
        { heading: "source", value: ({ source }) => JSON.stringify(source) },
        { heading: "updated", value: (item) => item.updated_at, whole: true },
      ],
    });
  },
});
