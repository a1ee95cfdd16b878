import { textOption } from "#cli/command.ts";
import { given } from "#lib/given.ts";
import { command } from "../../kit/command.ts";
import { workspaceOption } from "../../kit/workspaces/options.ts";
import { channelFields } from "./channel-fields.ts";

export default command({
  path: "alert channel show",
  summary: "Show how alerts reach you, or the members with a role",
  arguments: [],
  options: {
    role: textOption("role", "Show the choice for alerts to this role"),
    workspace: workspaceOption,
  },
  calls: ["alerts.getChannels"],
  answer: "alerts.getChannels",
  examples: ["svc alert channel show"],
  async run({ options }, context) {
    const { output, signal } = context;
    const client = await context.client({ workspace: options.workspace });
    const query = given({ role: options.role });
    const channels = await client.alerts.getChannels({ query, signal });
    await output.data(channels, () => output.fields(channelFields(channels)));
  },
});
