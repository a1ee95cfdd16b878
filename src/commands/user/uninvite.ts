import { shown } from "#cli/shown.ts";
import { canonicalUuid } from "#lib/uuid.ts";
import { command } from "../command.ts";
import { confirm } from "../input/confirm.ts";
import { forceOption } from "../resources/records/options.ts";
import { workspaceOption } from "./members.ts";

export const userUninviteCommand = command({
  path: "user uninvite",
  summary: "Revoke a pending invitation",
  arguments: [{ name: "invitation", description: "ID; `svc user invitations` lists them" }],
  options: { workspace: workspaceOption, force: forceOption },
  routes: ["DELETE /v4/platform/tenants/{tenantId}/invitations/{invitationId}"],
  async run(input, context) {
    const { output, signal } = context;
    const { invitation: name } = input.arguments;
    const invitationId = canonicalUuid(name) ?? name;
    if (!input.options.force) await confirm(context, "Revoke the invitation?", "--force");
    const client = await context.client({ workspace: input.options.workspace });
    const revoked = await client.members.revokeInvitation({ params: { invitationId }, signal });
    await output.data(revoked, () => shown`Revoked the invitation of ${revoked.email ?? name}`);
  },
});
