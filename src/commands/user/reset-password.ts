import { shown } from "#cli/shown.ts";
import { command } from "../kit/command.ts";
import { memberArgument, oidOf } from "./members.ts";
import { workspaceOption } from "../kit/workspaces/options.ts";

export default command({
  path: "user reset-password",
  summary: "Give an account a one-time password, and end its sessions",
  description:
    "For a user who has forgotten the password and gets no mail. The one-time password is shown " +
    "once; it is valid for 24 hours, and leads to the choice of a password. Second factors stay. " +
    "You administer the installation.",
  arguments: [memberArgument],
  options: { workspace: workspaceOption },
  calls: ["members.byEmail", "members.resetPassword"],
  answer: "members.resetPassword",
  trials: [{ words: "{member} --force", at: ["other", "stub"] }],
  confirms: ({ arguments: { member } }) => `Replace the password of ${member}?`,
  async run(input, context) {
    const { output, signal } = context;
    const { member } = input.arguments;
    const client = await context.client({ workspace: input.options.workspace });
    const oid = await oidOf(context, client, member);
    const receipt = await client.members.resetPassword({ params: { oid }, signal });
    await output.data(receipt, ({ oneTimePassword, expiresAt }) =>
      output.fields([
        ["user", member],
        ["one-time password", oneTimePassword],
        ["valid until", expiresAt],
      ]),
    );
    if (output.isJson) return;
    await output.note(shown`Pass the password on yourself; it is shown this once`);
  },
});
