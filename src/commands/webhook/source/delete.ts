import { shown } from "#cli/shown.ts";
import { command } from "../../kit/command.ts";
import { workspaceOption } from "../../kit/workspaces/options.ts";
import { sourceArgument } from "./sources.ts";

export default command({
  path: "webhook source delete",
  summary: "Delete a source with the calls that it has received",
  arguments: [sourceArgument],
  options: { workspace: workspaceOption },
  calls: ["webhookSources.remove"],
  answer: "webhookSources.remove",
  trials: ["{source} --force"],
  confirms: ({ arguments: { source } }) => `Delete the source ${source} with its calls?`,
  async run(input, context) {
    const { output, signal } = context;
    const { source } = input.arguments;
    const client = await context.client({ workspace: input.options.workspace });
    const receipt = await client.webhookSources.remove({ params: { source }, signal });
    await output.data(receipt, () => shown`Deleted the source ${source}`);
  },
});
