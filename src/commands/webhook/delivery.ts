import { shown } from "#cli/shown.ts";
import { command } from "../kit/command.ts";
import { workspaceOption } from "../kit/workspaces/options.ts";
import { answerWords, deliveryArgument, endpointArgument, endpointIdOf } from "./endpoints.ts";

export default command({
  path: "webhook delivery",
  summary: "Show a delivery with all its attempts",
  description:
    "Each attempt has its time, status, kind of failure, duration and 2 KiB of the answer.",
  arguments: [endpointArgument, deliveryArgument],
  options: { workspace: workspaceOption },
  calls: ["webhooks.delivery"],
  answer: "webhooks.delivery",
  trials: ["{endpoint} {delivery}"],
  async run(input, context) {
    const { output, signal } = context;
    const client = await context.client({ workspace: input.options.workspace });
    const endpointId = endpointIdOf(input.arguments.endpoint);
    const params = { endpointId, deliveryId: endpointIdOf(input.arguments.delivery) };
    const delivery = await client.webhooks.delivery({ params, signal });
    await output.data(delivery, () => {
      const head = output.fields([
        ["id", delivery.id],
        ["event", delivery.type],
        ["event id", delivery.eventId],
        ["subject", delivery.subject ?? undefined],
        ["status", delivery.status],
        ["made", delivery.created_at],
        ["next attempt", delivery.nextAttemptAt ?? undefined],
        ["kept until", delivery.expiresAt ?? undefined],
      ]);
      const attempts = delivery.attemptLog ?? [];
      if (attempts.length === 0) return head;
      return [
        ...head,
        shown``,
        ...output.table(attempts, [
          { heading: "attempt", value: (item) => String(attempts.indexOf(item) + 1) },
          { heading: "time", value: ({ at }) => at, whole: true },
          { heading: "status", value: ({ responseStatus: status }) => String(status ?? "") },
          { heading: "failure", value: ({ failure }) => failure ?? "" },
          { heading: "took", value: ({ durationMs: ms }) => (ms === null ? "" : `${ms} ms`) },
          { heading: "answer", value: (item) => item.responseBody ?? answerWords(item) },
        ]),
      ];
    });
  },
});
