import { command } from "../command.ts";
import { secretArgument, secretOf } from "./secret.ts";

export const userAcceptCommand = command({
  path: "user accept",
  summary: "Accept an invitation as the signed-in user",
  description: "Without an account open the invitation's link instead: its page makes one.",
  arguments: [secretArgument],
  options: {},
  routes: ["POST /v4/identity/invitations/accept"],
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
