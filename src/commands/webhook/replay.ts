import { textOption } from "#cli/command.ts";
import { usageFormatError } from "#cli/errors.ts";
import { shown } from "#cli/shown.ts";
import { given } from "#lib/given.ts";
import { counted } from "#lib/text/counted.ts";
import { command } from "../kit/command.ts";
import { workspaceOption } from "../kit/workspaces/options.ts";
import { endpointArgument, endpointIdOf } from "./endpoints.ts";

export default command({
  path: "webhook replay",
  summary: "Send one delivery again, those of a range of time, or all failed ones",
  description: "A replay has the ID of its event, so that a receiver recognises it.",
  arguments: [endpointArgument],
  options: {
    delivery: textOption("id", "This delivery"),
    from: textOption("time", "Deliveries that were made from this time on (RFC 3339)"),
    to: textOption("time", "Deliveries that were made before this time (RFC 3339)"),
    failed: { type: "boolean", description: "Only failed deliveries" },
    workspace: workspaceOption,
  },
  calls: ["webhooks.replay"],
  answer: "webhooks.replay",
  trials: ["{endpoint} --failed"],
  async run({ arguments: { endpoint }, options }, context) {
    const { output, signal } = context;
    const { delivery: deliveryId, from, to, failed } = options;
    const body = given({ deliveryId, from, to, failed: failed === true ? true : undefined });
    if (Object.keys(body).length === 0) {
      throw usageFormatError("webhook replay", "--delivery, --from, --to or --failed");
    }
    const client = await context.client({ workspace: options.workspace });
    const params = { endpointId: endpointIdOf(endpoint) };
    const receipt = await client.webhooks.replay({ params, body, signal });
    await output.data(receipt, () => shown`Sending ${counted(receipt.replayed, "event")} again`);
    if (receipt.next) await output.note(shown`More follow: repeat with --from ${receipt.next}`);
  },
});
