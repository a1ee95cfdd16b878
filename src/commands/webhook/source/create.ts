import { shown } from "#cli/shown.ts";
import { given } from "#lib/given.ts";
import { command } from "../../kit/command.ts";
import { workspaceOption } from "../../kit/workspaces/options.ts";
import { secretOf, secretOption, settingOptions, settingsOf, sourceLines } from "./sources.ts";

export default command({
  path: "webhook source create",
  summary: "Create a source of signed calls from outside",
  description:
    "The secret is shown once. A call takes effect by the rights of the role; the mapping, a jq " +
    "program, makes an upsert, an action or a document of it. Without one calls are only kept.",
  arguments: [{ name: "name", description: "Name of the sender" }],
  options: { ...settingOptions, secret: secretOption, workspace: workspaceOption },
  calls: ["webhookSources.create"],
  answer: "webhookSources.create",
  examples: ["svc webhook source create GitHub --scheme hmac --role tenant-staff"],
  trials: ["Sender --scheme hmac"],
  async run(input, context) {
    const { options } = input;
    const { output, signal } = context;
    const settings = await settingsOf(context, options);
    const secret = await secretOf(context, options.secret);
    const body = { name: input.arguments.name, ...settings, ...given({ secret }) };
    const client = await context.client({ workspace: options.workspace });
    const created = await client.webhookSources.create({ body, signal });
    await output.data(created, () => output.fields(sourceLines(created)));
    if (output.isJson) return;
    const words = created.note ?? "The secret is shown this once: the sender signs with it";
    await output.note(shown`${words}`);
  },
});
