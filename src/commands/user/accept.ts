import { command } from "../kit/command.ts";
import { secretArgument, secretOf } from "./secret.ts";

export default command({
  path: "user accept",
  summary: "Accept an invitation as the signed-in user",
  description: "Without an account open the invitation's link instead: its page makes one.",
  arguments: [secretArgument],
  options: {},
  calls: ["identity.acceptInvitation"],
  answer: "identity.acceptInvitation",
  trials: [{ words: "{secret}", at: ["other", "stub"] }],
  async run(input, context) {
    const { output, signal } = context;
    const secret = await secretOf(context, input.arguments.secret);
    const client = await context.clientWithoutWorkspace();
    const joined = await client.identity.acceptInvitation({ body: { secret }, signal });
    await output.data(joined, () =>
      output.fields([
        ["workspace", joined.slug],
        ["id", joined.id],
        ["role", joined.role],
      ]),
    );
  },
});
