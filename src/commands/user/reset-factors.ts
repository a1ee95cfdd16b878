import { shown } from "#cli/shown.ts";
import { command } from "../kit/command.ts";
import { memberArgument, oidOf } from "./members.ts";
import { workspaceOption } from "../kit/workspaces/options.ts";

export default command({
  path: "user reset-factors",
  summary: "Remove the second factors of an account, and end its sessions",
  description:
    "For a user who has lost the phone, the passkeys and the recovery codes. The password alone " +
    "then signs in. You administer the installation; without a member it resets your own account.",
  arguments: [{ ...memberArgument, optional: true }],
  options: { workspace: workspaceOption },
  calls: ["identity.me", "members.byEmail", "members.resetFactors"],
  answer: "members.resetFactors",
  trials: [{ words: "{member} --force", at: ["other", "stub"] }],
  confirms: ({ arguments: { member = "yourself" } }) => `Remove every second factor of ${member}?`,
  async run(input, context) {
    const { output, signal } = context;
    const { member: name } = input.arguments;
    const whose = name ?? "yourself";
    const client =
      name === undefined
        ? await context.clientWithoutWorkspace()
        : await context.client({ workspace: input.options.workspace });
    const oid =
      name === undefined
        ? (await client.identity.me({ signal })).oid
        : await oidOf(context, client, name);
    const receipt = await client.members.resetFactors({ params: { oid }, signal });
    const count = String(receipt.removedFactors ?? 0);
    await output.data(receipt, () => shown`Second factors removed of ${whose}: ${count}`);
  },
});
