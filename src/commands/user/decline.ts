import { shown } from "#cli/shown.ts";
import { command } from "../command.ts";
import { confirm } from "../input/confirm.ts";
import { forceOption } from "../resources/records/options.ts";
import { secretArgument, secretOf } from "./secret.ts";

export const userDeclineCommand = command({
  path: "user decline",
  summary: "Decline an invitation",
  arguments: [secretArgument],
  options: { force: forceOption },
  routes: ["POST /v4/identity/invitations/decline"],
  async run(input, context) {
    const { output, signal } = context;
    if (!input.options.force) await confirm(context, "Decline the invitation?", "--force");
    const secret = await secretOf(context, input.arguments.secret);
    const client = await context.clientWithoutWorkspace();
    const declined = await client.identity.declineInvitation({ body: { secret }, signal });
    await output.data(declined, () => shown`Declined the invitation`);
  },
});
