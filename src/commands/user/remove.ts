import { shown } from "#cli/shown.ts";
import { command } from "../command.ts";
import { confirm } from "../input/confirm.ts";
import { forceOption } from "../resources/records/options.ts";
import { findMember, memberArgument, workspaceOption } from "./members.ts";

export const userRemoveCommand = command({
  path: "user remove",
  summary: "Remove a member from a workspace",
  description: "The member has no access from the next request on. The last tenant-admin stays.",
  arguments: [memberArgument],
  options: { workspace: workspaceOption, force: forceOption },
  routes: [
    "GET /v4/platform/tenants/{tenantId}/users/by-email",
    "DELETE /v4/platform/tenants/{tenantId}/members/{memberId}",
  ],
  examples: ["svc user remove p.sharma@northwind.example --force"],
  async run(input, context) {
    const { output, signal } = context;
    const { member: name } = input.arguments;
    if (!input.options.force) await confirm(context, `Remove ${name}?`, "--force");
    const client = await context.client({ workspace: input.options.workspace });
    const { memberId } = await findMember(context, client, name);
    const receipt = await client.members.remove({ params: { memberId }, signal });
    await output.data(receipt, () => shown`Removed ${name}`);
  },
});
