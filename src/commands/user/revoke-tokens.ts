import { shown } from "#cli/shown.ts";
import { command } from "../kit/command.ts";
import { memberArgument, oidOf } from "./members.ts";
import { workspaceOption } from "../kit/workspaces/options.ts";

export default command({
  path: "user revoke-tokens",
  summary: "End all tokens and sessions of an account",
  description:
    "Also ends tokens that `svc serve token` minted. Without a member it ends your own, also the " +
    "one of this call. For another account you administer the installation.",
  arguments: [{ ...memberArgument, optional: true }],
  options: { workspace: workspaceOption },
  calls: ["identity.revokeTokens", "members.byEmail", "members.revokeUserTokens"],
  answer: ["identity.revokeTokens", "members.revokeUserTokens"],
  trials: [{ words: "{member} --force", at: ["other", "stub"] }],
  confirms: ({ arguments: { member = "yourself" } }) => `End all tokens and sessions of ${member}?`,
  async run(input, context) {
    const { output, signal } = context;
    const { member: name } = input.arguments;
    if (name === undefined) {
      const client = await context.clientWithoutWorkspace();
      const own = await client.identity.revokeTokens({ signal });
      await output.data(own, () => shown`All your tokens and sessions have ended`);
      return;
    }
    const client = await context.client({ workspace: input.options.workspace });
    const oid = await oidOf(context, client, name);
    const receipt = await client.members.revokeUserTokens({ params: { oid }, signal });
    await output.data(receipt, () => shown`All tokens and sessions of ${name} have ended`);
  },
});
