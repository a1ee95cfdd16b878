import { command } from "../kit/command.ts";
import { workspaceOption } from "../kit/workspaces/options.ts";
import { endpointArgument, endpointIdOf, endpointLines } from "./endpoints.ts";

export default command({
  path: "webhook show",
  summary: "Show a webhook endpoint and its health",
  arguments: [endpointArgument],
  options: { workspace: workspaceOption },
  calls: ["webhooks.get"],
  answer: "webhooks.get",
  trials: ["{endpoint}"],
  async run(input, context) {
    const { output, signal } = context;
    const endpointId = endpointIdOf(input.arguments.endpoint);
    const client = await context.client({ workspace: input.options.workspace });
    const endpoint = await client.webhooks.get({ params: { endpointId }, signal });
    await output.data(endpoint, () => endpointLines(output, endpoint));
  },
});
