import { alertStates } from "#contract/events/alert-values.ts";
import { given } from "#lib/given.ts";
import { command } from "../kit/command.ts";
import { pageQuery, printPage } from "../kit/output/pages.ts";
import { workspaceOption } from "../kit/workspaces/options.ts";

export default command({
  path: "alert list",
  summary: "List the alerts for you, the newest first",
  rows: ["items"],
  arguments: [],
  options: {
    status: { type: "string", values: alertStates, description: "Only alerts with this status" },
    workspace: workspaceOption,
  },
  pages: { of: "Alerts" },
  calls: ["alerts.list"],
  answer: "alerts.list",
  examples: ["svc alert list --status open"],
  async run({ options }, context) {
    const { output, signal } = context;
    const client = await context.client({ workspace: options.workspace });
    const query = { ...pageQuery(options), ...given({ status: options.status }) };
    const list = await client.alerts.list({ query, signal });
    await printPage(output, list, {
      options,
      none: "No alerts",
      columns: [
        { heading: "raised", value: ({ raisedAt }) => raisedAt },
        { heading: "rule", value: ({ ruleName }) => ruleName },
        { heading: "alert", value: ({ message }) => message },
        { heading: "status", value: ({ status }) => status },
        { heading: "id", value: ({ id }) => id, whole: true },
      ],
    });
  },
});
