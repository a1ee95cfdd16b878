import { receivedStates } from "#contract/events/webhook-source-values.ts";
import { given } from "#lib/given.ts";
import { command } from "../../kit/command.ts";
import { pageQuery, printPage } from "../../kit/output/pages.ts";
import { workspaceOption } from "../../kit/workspaces/options.ts";
import { sourceArgument } from "./sources.ts";

export default command({
  path: "webhook source received",
  summary: "List the calls that a source has received",
  description: "Calls are kept for 30 days. `failed` ones can be replayed.",
  rows: ["items"],
  arguments: [sourceArgument],
  options: {
    status: { type: "string", values: receivedStates, description: "Only calls with this status" },
    workspace: workspaceOption,
  },
  pages: { of: "Calls" },
  calls: ["webhookSources.received"],
  answer: "webhookSources.received",
  trials: ["{source}"],
  async run(input, context) {
    const { options } = input;
    const { output, signal } = context;
    const params = { source: input.arguments.source };
    const query = { ...pageQuery(options), ...given({ status: options.status }) };
    const client = await context.client({ workspace: options.workspace });
    const list = await client.webhookSources.received({ params, query, signal });
    await printPage(output, list, {
      options,
      none: "This source has received no such calls",
      columns: [
        { heading: "received", value: (item) => item.received_at, whole: true },
        { heading: "status", value: ({ status }) => status, whole: true },
        { heading: "effect", value: ({ effect }) => effect ?? "" },
        { heading: "subject", value: ({ subject }) => subject ?? "" },
        { heading: "error", value: ({ error }) => error ?? "" },
        { heading: "id", value: ({ id }) => id, whole: true },
      ],
    });
  },
});
