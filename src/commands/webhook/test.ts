import { catalogError, exitCodes } from "#contract/errors.ts";
import { shown } from "#cli/shown.ts";
import { sleep } from "#lib/time/sleep.ts";
import { command } from "../kit/command.ts";
import { workspaceOption } from "../kit/workspaces/options.ts";
import { answerWords, endpointArgument, endpointIdOf } from "./endpoints.ts";

const pauseMs = 250;
/** An attempt ends after 20 s. */
const looks = 120;

export default command({
  path: "webhook test",
  summary: "Send a test event to a webhook endpoint, and show its answer",
  description: "Exit code 0 if the endpoint answered 2xx, 1 if not, 8 without an outcome yet.",
  waits: true,
  arguments: [endpointArgument],
  options: { workspace: workspaceOption },
  calls: ["webhooks.test", "webhooks.delivery"],
  answer: "webhooks.delivery",
  trials: [{ words: "{endpoint}", at: ["other", "stub"] }],
  async run(input, context) {
    const { output, signal } = context;
    const endpointId = endpointIdOf(input.arguments.endpoint);
    const client = await context.client({ workspace: input.options.workspace });
    let delivery = await client.webhooks.test({ params: { endpointId }, signal });
    const params = { endpointId, deliveryId: delivery.id };
    for (let look = 0; delivery.status === "pending"; look += 1) {
      if (look === looks) {
        const details = `the delivery ${delivery.id} has no outcome yet`;
        throw catalogError("E203", { details }, { exitCode: exitCodes.stillPending });
      }
      await sleep(pauseMs, signal);
      delivery = await client.webhooks.delivery({ params, signal });
    }
    const words = `${delivery.status ?? "unknown"}: ${answerWords(delivery)}`;
    await output.data(delivery, () => shown`${words}`);
    return delivery.status === "delivered" ? exitCodes.done : exitCodes.failed;
  },
});
