import { shown } from "#cli/shown.ts";
import { command } from "../command.ts";
import { confirm } from "../input/confirm.ts";
import { forceOption } from "../resources/records/options.ts";
import { memberArgument, oidOf, workspaceOption } from "./members.ts";

export const userResetFactorsCommand = command({
  path: "user reset-factors",
  summary: "Remove the second factors of an account, and end its sessions",
  description:
    "For a user who has lost the phone, the passkeys and the recovery codes. The password alone " +
    "then signs in. You administer the installation.",
  arguments: [memberArgument],
  options: { workspace: workspaceOption, force: forceOption },
  routes: [
    "GET /v4/platform/tenants/{tenantId}/users/by-email",
    "POST /v4/platform/users/{oid}/reset-factors",
  ],
  async run(input, context) {
    const { output, signal } = context;
    const { member: name } = input.arguments;
    if (!input.options.force) {
      await confirm(context, `Remove every second factor of ${name}?`, "--force");
    }
    const client = await context.client({ workspace: input.options.workspace });
    const oid = await oidOf(context, client, name);
    const receipt = await client.members.resetFactors({ params: { oid }, signal });
    const count = String(receipt.removedFactors ?? 0);
    await output.data(receipt, () => shown`Removed ${count} second factors of ${name}`);
  },
});
