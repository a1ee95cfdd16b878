import { shown } from "#cli/shown.ts";
import { maximumGraceDays } from "#contract/events/webhook-values.ts";
import { command } from "../kit/command.ts";
import { workspaceOption } from "../kit/workspaces/options.ts";
import { endpointArgument, endpointIdOf } from "./endpoints.ts";

export default command({
  path: "webhook rotate",
  summary: "Make a new secret and key of a webhook endpoint",
  description: "Requests have the signatures of both secrets until the end of the grace.",
  arguments: [endpointArgument],
  options: {
    "grace-days": {
      type: "number",
      minimum: 0,
      maximum: maximumGraceDays,
      default: 1,
      description: "Days for which the former secret signs too",
    },
    workspace: workspaceOption,
  },
  calls: ["webhooks.rotate"],
  answer: "webhooks.rotate",
  trials: ["{endpoint} --grace-days 2"],
  async run(input, context) {
    const { output, signal } = context;
    const params = { endpointId: endpointIdOf(input.arguments.endpoint) };
    const body = { graceDays: input.options["grace-days"] };
    const client = await context.client({ workspace: input.options.workspace });
    const rotated = await client.webhooks.rotate({ params, body, signal });
    await output.data(rotated, () =>
      output.fields([
        ["secret", rotated.secret],
        ["public key", rotated.publicKey],
        ["former secret until", rotated.rotatesUntil ?? "it has ended"],
      ]),
    );
    if (!output.isJson) {
      await output.note(shown`${rotated.note ?? "The secret is shown this once"}`);
    }
  },
});
