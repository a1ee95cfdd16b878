import { command } from "../../kit/command.ts";
import { pageQuery, printPage } from "../../kit/output/pages.ts";
import { workspaceOption } from "../../kit/workspaces/options.ts";

export default command({
  path: "alert rule list",
  summary: "List alert rules: yours, or all for tenant-builders",
  rows: ["items"],
  arguments: [],
  options: { workspace: workspaceOption },
  pages: { of: "Rules" },
  calls: ["alerts.listRules"],
  answer: "alerts.listRules",
  async run({ options }, context) {
    const { output, signal } = context;
    const client = await context.client({ workspace: options.workspace });
    const list = await client.alerts.listRules({ query: pageQuery(options), signal });
    await printPage(output, list, {
      options,
      none: "No alert rules",
      columns: [
        { heading: "name", value: ({ name }) => name },
        { heading: "kind", value: ({ kind }) => kind },
        { heading: "types", value: ({ types }) => types?.join(", ") },
        { heading: "for", value: ({ role, userId }) => role ?? userId ?? "" },
        { heading: "enabled", value: ({ enabled }) => (enabled === false ? "no" : "yes") },
        { heading: "id", value: ({ id }) => id, whole: true },
      ],
    });
  },
});
