import { command } from "../../kit/command.ts";
import { pageQuery, printPage } from "../../kit/output/pages.ts";
import { workspaceOption } from "../../kit/workspaces/options.ts";

export default command({
  path: "geo datasets list",
  summary: "List the datasets of a workspace, the newest first",
  rows: ["items"],
  arguments: [],
  options: { workspace: workspaceOption },
  pages: { of: "Datasets" },
  calls: ["geoDatasets.list"],
  answer: "geoDatasets.list",
  examples: ["svc geo datasets list"],
  async run({ options }, context) {
    const { output, signal } = context;
    const client = await context.client({ workspace: options.workspace });
    const list = await client.geoDatasets.list({ query: pageQuery(options), signal });
    await printPage(output, list, {
      options,
      none: "This workspace has no datasets",
      columns: [
        { heading: "dataset", value: ({ dataset }) => dataset, whole: true },
        { heading: "title", value: ({ title }) => title },
        { heading: "features", value: ({ features }) => features?.toString() },
        { heading: "licence", value: ({ licence }) => licence, optional: true },
        { heading: "updated", value: (item) => item.updated_at, whole: true },
      ],
    });
  },
});
