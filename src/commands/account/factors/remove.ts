import { shown } from "#cli/shown.ts";
import { command } from "../../command.ts";
import { confirm } from "../../input/confirm.ts";
import { Conversation } from "../../input/conversation.ts";
import { forceOption } from "../../resources/records/options.ts";
import { factorArgument, passwordWords, presentPassword } from "./factor-input.ts";

export const accountFactorsRemoveCommand = command({
  path: "account factors remove",
  summary: "Remove one of your second factors",
  description: `The last one takes the recovery codes with it. ${passwordWords}`,
  arguments: [factorArgument],
  options: { force: forceOption },
  routes: ["POST /v4/identity/me/factors/{factorId}/remove"],
  async run(input, context) {
    const { output, signal } = context;
    const { factor: factorId } = input.arguments;
    if (!input.options.force) {
      await confirm(context, `Remove the second factor ${factorId}?`, "--force");
    }
    const client = await context.clientWithoutWorkspace();
    const conversation = new Conversation(context);
    try {
      const currentPassword = await presentPassword(context, conversation);
      const body = { currentPassword };
      const removed = await client.factors.remove({ params: { factorId }, body, signal });
      await output.data(removed, () => shown`Removed the second factor ${factorId}`);
    } finally {
      await conversation.close();
    }
  },
});
