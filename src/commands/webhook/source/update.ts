import { textOption } from "#cli/command.ts";
import { usageError } from "#cli/errors.ts";
import { given } from "#lib/given.ts";
import { command } from "../../kit/command.ts";
import { workspaceOption } from "../../kit/workspaces/options.ts";
import { settingOptions, settingsOf, sourceArgument, sourceLines } from "./sources.ts";

export default command({
  path: "webhook source update",
  summary: "Change, disable or enable a source of calls from outside",
  description: "An admin who enables the source of a removed member answers for it from then on.",
  arguments: [sourceArgument],
  options: {
    name: textOption("name", "Name of the sender"),
    ...settingOptions,
    enabled: {
      type: "boolean",
      negatable: true,
      description: "Receive calls; --no-enabled refuses them all",
    },
    workspace: workspaceOption,
  },
  calls: ["webhookSources.update"],
  answer: "webhookSources.update",
  trials: ["{source} --no-enabled"],
  async run(input, context) {
    const { options } = input;
    const { output, signal } = context;
    const { name, enabled } = options;
    const body = { ...(await settingsOf(context, options)), ...given({ name, enabled }) };
    if (Object.keys(body).length === 0) throw usageError("Nothing to change: add an option");
    const params = { source: input.arguments.source };
    const client = await context.client({ workspace: options.workspace });
    const source = await client.webhookSources.update({ params, body, signal });
    await output.data(source, () => output.fields(sourceLines(source)));
  },
});
