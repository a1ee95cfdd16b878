import { command } from "../../kit/command.ts";
import { pageQuery, printPage } from "../../kit/output/pages.ts";
import { workspaceOption } from "../../kit/workspaces/options.ts";

export default command({
  path: "webhook source list",
  summary: "List the sources of signed calls from outside",
  rows: ["items"],
  arguments: [],
  options: { workspace: workspaceOption },
  pages: { of: "Sources" },
  calls: ["webhookSources.list"],
  answer: "webhookSources.list",
  async run({ options }, context) {
    const { output, signal } = context;
    const client = await context.client({ workspace: options.workspace });
    const list = await client.webhookSources.list({ query: pageQuery(options), signal });
    await printPage(output, list, {
      options,
      none: "No sources receive calls for this workspace",
      columns: [
        { heading: "name", value: ({ name }) => name, whole: true },
        { heading: "scheme", value: ({ scheme }) => scheme?.type, whole: true },
        { heading: "role", value: ({ role }) => role, whole: true },
        { heading: "status", value: ({ status }) => status },
        { heading: "source", value: ({ source }) => source, whole: true },
      ],
    });
  },
});
