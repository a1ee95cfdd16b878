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
    "then signs in. You administer the installation; without a member it resets your own account.",
  arguments: [{ ...memberArgument, optional: true }],
  options: { workspace: workspaceOption, force: forceOption },
  routes: [
    "GET /v4/identity/me",
    "GET /v4/platform/tenants/{tenantId}/users/by-email",
    "POST /v4/platform/users/{oid}/reset-factors",
  ],
  async run(input, context) {
    const { output, signal } = context;
    const { member: name } = input.arguments;
    const whose = name ?? "yourself";
    if (!input.options.force) {
      await confirm(context, `Remove every second factor of ${whose}?`, "--force");
    }
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
