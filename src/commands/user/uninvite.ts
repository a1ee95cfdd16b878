import { shown } from "#cli/shown.ts";
import { canonicalUuid } from "#lib/uuid.ts";
import { command } from "../kit/command.ts";
import { workspaceOption } from "../kit/workspaces/options.ts";

export default command({
  path: "user uninvite",
  summary: "Revoke a pending invitation",
  arguments: [{ name: "invitation", description: "ID; `svc user invitations` lists them" }],
  options: { workspace: workspaceOption },
  calls: ["members.revokeInvitation"],
  answer: "members.revokeInvitation",
  trials: [{ words: "invitation:17 --force", at: ["other", "stub"] }],
  confirms: () => "Revoke the invitation?",
  async run(input, context) {
    const { output, signal } = context;
    const { invitation: name } = input.arguments;
    const invitationId = canonicalUuid(name) ?? name;
    const client = await context.client({ workspace: input.options.workspace });
    const revoked = await client.members.revokeInvitation({ params: { invitationId }, signal });
    await output.data(revoked, () => shown`Revoked the invitation of ${revoked.email ?? name}`);
  },
});
