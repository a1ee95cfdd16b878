import { textOption } from "#cli/command.ts";
import { usageFormatError } from "#cli/errors.ts";
import { given } from "#lib/given.ts";
import { command } from "../kit/command.ts";
import { workspaceOption } from "../kit/workspaces/options.ts";
import {
  deliveryOptions,
  endpointArgument,
  endpointIdOf,
  endpointLines,
  settingsOf,
} from "./endpoints.ts";

export default command({
  path: "webhook update",
  summary: "Change a webhook endpoint, or stop its deliveries",
  description: "Only what is given changes. A stopped endpoint continues at the same event later.",
  arguments: [endpointArgument],
  options: {
    url: textOption("url", "The new URL"),
    ...deliveryOptions,
    disable: { type: "boolean", description: "Stop the deliveries; see `svc webhook enable`" },
    workspace: workspaceOption,
  },
  calls: ["webhooks.update"],
  answer: "webhooks.update",
  trials: ["{endpoint} --description Tested"],
  async run({ arguments: { endpoint }, options }, context) {
    const { output, signal } = context;
    const { url, disable, workspace } = options;
    const enabled = disable === true ? false : undefined;
    const body = { ...settingsOf(options), ...given({ url, enabled }) };
    if (Object.keys(body).length === 0) throw usageFormatError("webhook update", "an option");
    const client = await context.client({ workspace });
    const params = { endpointId: endpointIdOf(endpoint) };
    const changed = await client.webhooks.update({ params, body, signal });
    await output.data(changed, () => endpointLines(output, changed));
  },
});
