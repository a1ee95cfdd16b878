import { shown } from "#cli/shown.ts";
import { command } from "../command.ts";
import { confirm } from "../input/confirm.ts";
import { forceOption } from "../resources/records/options.ts";
import { workspaceOption } from "../user/members.ts";
import { keyArgument, keyIdOf } from "./keys.ts";

export const keyRevokeCommand = command({
  path: "key revoke",
  summary: "Revoke an API key at once",
  description: "A key that another workspace owns loses its access to this workspace only.",
  arguments: [keyArgument],
  options: { workspace: workspaceOption, force: forceOption },
  routes: ["DELETE /v4/platform/tenants/{tenantId}/keys/{keyId}"],
  async run(input, context) {
    const { output, signal } = context;
    const keyId = keyIdOf(input.arguments.key);
    if (!input.options.force) await confirm(context, `Revoke the key ${keyId}?`, "--force");
    const client = await context.client({ workspace: input.options.workspace });
    const receipt = await client.keys.revoke({ params: { keyId }, signal });
    await output.data(receipt, () =>
      receipt.status === "removed"
        ? shown`The key has no access to this workspace; another workspace owns it`
        : shown`Revoked the key ${keyId}`,
    );
  },
});
