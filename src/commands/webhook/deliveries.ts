import { deliveryStates } from "#contract/events/webhook-values.ts";
import { given } from "#lib/given.ts";
import { command } from "../kit/command.ts";
import { pageQuery, printPage } from "../kit/output/pages.ts";
import { workspaceOption } from "../kit/workspaces/options.ts";
import { answerWords, endpointArgument, endpointIdOf } from "./endpoints.ts";

export default command({
  path: "webhook deliveries",
  summary: "List what was sent to a webhook endpoint, the newest first",
  description: "Delivered events are listed for 7 days, failed ones for 30.",
  rows: ["items"],
  arguments: [endpointArgument],
  options: {
    status: { type: "string", values: deliveryStates, description: "Only these deliveries" },
    workspace: workspaceOption,
  },
  pages: { of: "Deliveries" },
  calls: ["webhooks.deliveries"],
  answer: "webhooks.deliveries",
  trials: ["{endpoint} --status failed"],
  async run({ arguments: { endpoint }, options }, context) {
    const { output, signal } = context;
    const client = await context.client({ workspace: options.workspace });
    const list = await client.webhooks.deliveries({
      params: { endpointId: endpointIdOf(endpoint) },
      query: { ...pageQuery(options), ...given({ status: options.status }) },
      signal,
    });
    await printPage(output, list, {
      options,
      none: "Nothing was sent to this endpoint",
      columns: [
        { heading: "made", value: (item) => item.created_at, whole: true },
        { heading: "event", value: ({ type }) => type },
        { heading: "subject", value: ({ subject }) => subject ?? "", optional: true },
        { heading: "status", value: ({ status }) => status },
        { heading: "attempts", value: ({ attempts }) => String(attempts ?? 0) },
        { heading: "answer", value: (item) => answerWords(item) },
        { heading: "id", value: ({ id }) => id, whole: true },
      ],
    });
  },
});
