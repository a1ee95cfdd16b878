import { command } from "../../kit/command.ts";
import { workspaceOption } from "../../kit/workspaces/options.ts";
import { receivedArgument, sourceArgument } from "./sources.ts";

export default command({
  path: "webhook source call",
  summary: "Show a received call with its headers and body",
  arguments: [sourceArgument, receivedArgument],
  options: { workspace: workspaceOption },
  calls: ["webhookSources.receivedCall"],
  answer: "webhookSources.receivedCall",
  trials: ["{source} {call}"],
  async run(input, context) {
    const { output, signal } = context;
    const { source, call: receivedId } = input.arguments;
    const client = await context.client({ workspace: input.options.workspace });
    const params = { source, receivedId };
    const call = await client.webhookSources.receivedCall({ params, signal });
    await output.data(call, () =>
      output.fields([
        ["id", call.id],
        ["event", call.eventId],
        ["status", call.status],
        ["error", call.error ?? undefined],
        ["subject", call.subject ?? undefined],
        ["received", call.received_at],
        ...Object.entries(call.headers ?? {}),
        ["body", call.body ?? undefined],
      ]),
    );
  },
});
