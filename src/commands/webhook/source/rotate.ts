import { shown } from "#cli/shown.ts";
import { given } from "#lib/given.ts";
import { command } from "../../kit/command.ts";
import { workspaceOption } from "../../kit/workspaces/options.ts";
import { secretOf, secretOption, sourceArgument, sourceLines } from "./sources.ts";

export default command({
  path: "webhook source rotate",
  summary: "Give a source another secret, shown once",
  description: "Both secrets are accepted until the end of the grace.",
  arguments: [sourceArgument],
  options: {
    "grace-days": {
      type: "number",
      minimum: 0,
      maximum: 7,
      placeholder: "days",
      description: "Days in which the former secret works too (default: 1)",
    },
    secret: secretOption,
    workspace: workspaceOption,
  },
  calls: ["webhookSources.rotate"],
  answer: "webhookSources.rotate",
  trials: ["{source}"],
  async run(input, context) {
    const { options } = input;
    const { output, signal } = context;
    const secret = await secretOf(context, options.secret);
    const body = given({ graceDays: options["grace-days"], secret });
    const params = { source: input.arguments.source };
    const client = await context.client({ workspace: options.workspace });
    const rotated = await client.webhookSources.rotate({ params, body, signal });
    await output.data(rotated, () => output.fields(sourceLines(rotated)));
    if (output.isJson) return;
    const words = rotated.note ?? "The secret is shown this once: the sender signs with it";
    await output.note(shown`${words}`);
  },
});
