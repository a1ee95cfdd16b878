import { shown } from "#cli/shown.ts";
import { command } from "../command.ts";
import { confirm } from "../input/confirm.ts";
import { forceOption } from "../resources/records/options.ts";
import { everywhereOption, findMember, memberArgument, oidOf, workspaceOption } from "./members.ts";

export const userDisableCommand = command({
  path: "user disable",
  summary: "Take a member's access away, and keep the membership",
  description:
    "Counts from the next request on, also for live tokens. With --everywhere the account has no " +
    "access in any workspace, and its tokens and sessions end.",
  arguments: [memberArgument],
  options: { workspace: workspaceOption, everywhere: everywhereOption, force: forceOption },
  routes: [
    "GET /v4/platform/tenants/{tenantId}/users/by-email",
    "POST /v4/platform/tenants/{tenantId}/members/{memberId}/disable",
    "POST /v4/platform/users/{oid}/disable",
  ],
  examples: ["svc user disable v.ward@northwind.example --force"],
  async run(input, context) {
    const { output, signal } = context;
    const { member: name } = input.arguments;
    const { everywhere, force, workspace } = input.options;
    const where = everywhere ? " in every workspace" : "";
    if (!force) await confirm(context, `Disable ${name}${where}?`, "--force");
    const client = await context.client({ workspace });
    const receipt = everywhere
      ? await client.members.disableUser({
          params: { oid: await oidOf(context, client, name) },
          signal,
        })
      : await client.members.disable({
          params: { memberId: (await findMember(context, client, name)).memberId },
          signal,
        });
    await output.data(receipt, () => shown`Disabled ${name}${where}`);
  },
});
