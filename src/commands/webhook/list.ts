import { command } from "../kit/command.ts";
import { pageQuery, printPage } from "../kit/output/pages.ts";
import { workspaceOption } from "../kit/workspaces/options.ts";
import { addressOf, eventWords, stateWords } from "./endpoints.ts";

export default command({
  path: "webhook list",
  summary: "List webhook endpoints, the newest first",
  rows: ["items"],
  arguments: [],
  options: { workspace: workspaceOption },
  pages: { of: "Endpoints" },
  calls: ["webhooks.list"],
  answer: "webhooks.list",
  examples: ["svc webhook list"],
  async run({ options }, context) {
    const { output, signal } = context;
    const client = await context.client({ workspace: options.workspace });
    const list = await client.webhooks.list({ query: pageQuery(options), signal });
    await printPage(output, list, {
      options,
      none: "This workspace has no webhook endpoints",
      columns: [
        { heading: "url", value: addressOf },
        { heading: "events", value: eventWords },
        { heading: "role", value: ({ role }) => role },
        { heading: "state", value: stateWords },
        { heading: "last delivered", value: (item) => item.lastDeliveredAt ?? "never" },
        { heading: "id", value: ({ id }) => id, whole: true },
      ],
    });
  },
});
