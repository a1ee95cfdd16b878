import { shown } from "#cli/shown.ts";
import { command } from "../kit/command.ts";
import { workspaceOption } from "../kit/workspaces/options.ts";
import { endpointArgument, endpointIdOf } from "./endpoints.ts";

export default command({
  path: "webhook enable",
  summary: "Enable a webhook endpoint; it continues at the event at which it stopped",
  arguments: [endpointArgument],
  options: { workspace: workspaceOption },
  calls: ["webhooks.enable"],
  answer: "webhooks.enable",
  trials: ["{endpoint}"],
  async run(input, context) {
    const { output, signal } = context;
    const endpointId = endpointIdOf(input.arguments.endpoint);
    const client = await context.client({ workspace: input.options.workspace });
    const enabled = await client.webhooks.enable({ params: { endpointId }, signal });
    await output.data(enabled, () => shown`Enabled the endpoint ${endpointId}`);
  },
});
