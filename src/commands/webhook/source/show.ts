import { command } from "../../kit/command.ts";
import { workspaceOption } from "../../kit/workspaces/options.ts";
import { sourceArgument, sourceLines } from "./sources.ts";

export default command({
  path: "webhook source show",
  summary: "Show a source of signed calls from outside",
  arguments: [sourceArgument],
  options: { workspace: workspaceOption },
  calls: ["webhookSources.get"],
  answer: "webhookSources.get",
  trials: ["{source}"],
  async run(input, context) {
    const { output, signal } = context;
    const params = { source: input.arguments.source };
    const client = await context.client({ workspace: input.options.workspace });
    const source = await client.webhookSources.get({ params, signal });
    await output.data(source, () => output.fields(sourceLines(source)));
  },
});
