import { shown } from "#cli/shown.ts";
import { command } from "../kit/command.ts";
import { secretArgument, secretOf } from "./secret.ts";

export default command({
  path: "user decline",
  summary: "Decline an invitation",
  arguments: [secretArgument],
  options: {},
  calls: ["identity.declineInvitation"],
  answer: "identity.declineInvitation",
  trials: [{ words: "{secret} --force", at: ["other", "stub"] }],
  confirms: () => "Decline the invitation?",
  async run(input, context) {
    const { output, signal } = context;
    const secret = await secretOf(context, input.arguments.secret);
    const client = await context.clientWithoutWorkspace();
    const declined = await client.identity.declineInvitation({ body: { secret }, signal });
    await output.data(declined, () => shown`Declined the invitation`);
  },
});
