import { shown } from "#cli/shown.ts";
import { command } from "../command.ts";
import { confirm } from "../input/confirm.ts";
import { forceOption } from "../resources/records/options.ts";
import { memberArgument, oidOf, workspaceOption } from "./members.ts";

export const userRevokeTokensCommand = command({
  path: "user revoke-tokens",
  summary: "End all tokens and sessions of an account",
  description:
    "Also ends tokens that `svc serve token` minted. Without a member it ends your own, also the " +
    "one of this call. For another account you administer the installation.",
  arguments: [{ ...memberArgument, optional: true }],
  options: { workspace: workspaceOption, force: forceOption },
  routes: [
    "POST /v4/identity/me/revoke-tokens",
    "GET /v4/platform/tenants/{tenantId}/users/by-email",
    "POST /v4/platform/users/{oid}/revoke-tokens",
  ],
  async run(input, context) {
    const { output, signal } = context;
    const { member: name } = input.arguments;
    const whose = name ?? "yourself";
    if (!input.options.force) {
      await confirm(context, `End all tokens and sessions of ${whose}?`, "--force");
    }
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
