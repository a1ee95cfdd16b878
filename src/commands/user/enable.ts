import { shown } from "#cli/shown.ts";
import { command } from "../command.ts";
import { everywhereOption, findMember, memberArgument, oidOf, workspaceOption } from "./members.ts";

export const userEnableCommand = command({
  path: "user enable",
  summary: "Give a disabled member access again",
  arguments: [memberArgument],
  options: { workspace: workspaceOption, everywhere: everywhereOption },
  routes: [
    "GET /v4/platform/tenants/{tenantId}/users/by-email",
    "POST /v4/platform/tenants/{tenantId}/members/{memberId}/enable",
    "POST /v4/platform/users/{oid}/enable",
  ],
  async run(input, context) {
    const { output, signal } = context;
    const { member: name } = input.arguments;
    const { everywhere, workspace } = input.options;
    const client = await context.client({ workspace });
    const receipt = everywhere
      ? await client.members.enableUser({
          params: { oid: await oidOf(context, client, name) },
          signal,
        })
      : await client.members.enable({
          params: { memberId: (await findMember(context, client, name)).memberId },
          signal,
        });
    await output.data(receipt, () => shown`Enabled ${name}`);
  },
});
