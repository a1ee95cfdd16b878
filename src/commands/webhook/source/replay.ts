import { shown } from "#cli/shown.ts";
import { command } from "../../kit/command.ts";
import { workspaceOption } from "../../kit/workspaces/options.ts";
import { receivedArgument, sourceArgument } from "./sources.ts";

export default command({
  path: "webhook source replay",
  summary: "Let a received call take effect again",
  description: "The present mapping of the source applies.",
  arguments: [sourceArgument, receivedArgument],
  options: { workspace: workspaceOption },
  calls: ["webhookSources.replay"],
  answer: "webhookSources.replay",
  trials: ["{source} {call}"],
  async run(input, context) {
    const { output, signal } = context;
    const { source, call: receivedId } = input.arguments;
    const client = await context.client({ workspace: input.options.workspace });
    const params = { source, receivedId };
    const call = await client.webhookSources.replay({ params, signal });
    await output.data(call, () => shown`The call ${receivedId} takes effect again`);
  },
});
