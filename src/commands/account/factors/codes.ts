import { Shown } from "#cli/shown.ts";
import { command } from "../../kit/command.ts";
import { Conversation } from "../../kit/input/conversation.ts";
import { passwordWords, presentPassword } from "./factor-input.ts";

export default command({
  path: "account factors codes",
  summary: "Replace your recovery codes, and show them this once",
  description: `The codes from before are no longer valid. ${passwordWords}`,
  arguments: [],
  options: {},
  calls: ["factors.renewCodes"],
  answer: "factors.renewCodes",
  trials: [{ words: "", stdin: "password\n", at: ["other", "stub"] }],
  async run(_input, context) {
    const { output, signal } = context;
    const client = await context.clientWithoutWorkspace();
    const conversation = new Conversation(context);
    try {
      const currentPassword = await presentPassword(context, conversation);
      const renewed = await client.factors.renewCodes({ body: { currentPassword }, signal });
      await output.data(renewed, () => renewed.recoveryCodes.map((code) => Shown.cell(code)));
    } finally {
      await conversation.close();
    }
  },
});
