import { shown } from "#cli/shown.ts";
import { command } from "../kit/command.ts";
import { workspaceOption } from "../kit/workspaces/options.ts";
import { endpointArgument, endpointIdOf } from "./endpoints.ts";

export default command({
  path: "webhook delete",
  summary: "Delete a webhook endpoint with its deliveries",
  arguments: [endpointArgument],
  options: { workspace: workspaceOption },
  calls: ["webhooks.remove"],
  answer: "webhooks.remove",
  trials: ["{endpoint} --force"],
  confirms: ({ arguments: { endpoint } }) => `Delete the endpoint ${endpointIdOf(endpoint)}?`,
  async run(input, context) {
    const { output, signal } = context;
    const endpointId = endpointIdOf(input.arguments.endpoint);
    const client = await context.client({ workspace: input.options.workspace });
    const receipt = await client.webhooks.remove({ params: { endpointId }, signal });
    await output.data(receipt, () => shown`Deleted the endpoint ${endpointId}`);
  },
});
