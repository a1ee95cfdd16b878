import { shown } from "#cli/shown.ts";
import { command } from "../kit/command.ts";
import { workspaceOption } from "../kit/workspaces/options.ts";
import { deliveryOptions, endpointLines, settingsOf } from "./endpoints.ts";

export default command({
  path: "webhook create",
  summary: "Send a workspace's changes to a URL, signed as Standard Webhooks",
  description:
    "The secret is shown once. The address must be public, unless the operator names its host " +
    "with `svc serve --webhook-host`.",
  arguments: [{ name: "url", description: "http or https URL that receives the events" }],
  options: { ...deliveryOptions, workspace: workspaceOption },
  calls: ["webhooks.create"],
  answer: "webhooks.create",
  examples: [
    "svc webhook create https://hooks.example.org/svc --kind record --type planning-application",
  ],
  trials: ["https://hooks.example.org/svc --kind record"],
  async run({ arguments: { url }, options }, context) {
    const { output, signal } = context;
    const client = await context.client({ workspace: options.workspace });
    const body = { url, ...settingsOf(options) };
    const created = await client.webhooks.create({ body, signal });
    await output.data(created, () => [
      ...endpointLines(output, created),
      ...output.fields([["secret", created.secret]]),
    ]);
    if (output.isJson) return;
    const words = created.note ?? "The secret is shown this once: the receiver verifies with it";
    await output.note(shown`${words}`);
  },
});
