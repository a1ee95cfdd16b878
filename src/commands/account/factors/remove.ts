import { shown } from "#cli/shown.ts";
import { command } from "../../kit/command.ts";
import { Conversation } from "../../kit/input/conversation.ts";
import { factorArgument, passwordWords, presentPassword } from "./factor-input.ts";

export default command({
  path: "account factors remove",
  summary: "Remove one of your second factors",
  description: `The last one takes the recovery codes with it. ${passwordWords}`,
  arguments: [factorArgument],
  options: {},
  calls: ["factors.remove"],
  answer: "factors.remove",
  trials: [{ words: "factor:17 --force", stdin: "password\n", at: ["other", "stub"] }],
  confirms: ({ arguments: { factor } }) => `Remove the second factor ${factor}?`,
  async run(input, context) {
    const { output, signal } = context;
    const { factor: factorId } = input.arguments;
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
