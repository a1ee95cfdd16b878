import { shown } from "#cli/shown.ts";
import { command } from "../command.ts";
import { confirm } from "../input/confirm.ts";
import { forceOption } from "../resources/records/options.ts";
import { workspaceOption } from "./members.ts";

export const userLeaveCommand = command({
  path: "user leave",
  summary: "Leave a workspace",
  description: "Only another invitation brings you back. The last tenant-admin stays.",
  arguments: [],
  options: { workspace: workspaceOption, force: forceOption },
  routes: ["POST /v4/platform/tenants/{tenantId}/members/leave"],
  async run(input, context) {
    const { output, signal } = context;
    const { force, workspace } = input.options;
    const selected = (await context.settings()).workspace?.value;
    const named =
      workspace ?? (selected !== undefined && "slug" in selected ? selected.slug : selected?.id);
    if (!force) {
      const words = named === undefined ? "the workspace" : `the workspace ${named}`;
      await confirm(context, `Leave ${words}?`, "--force");
    }
    const client = await context.client({ workspace });
    const receipt = await client.members.leave({ signal });
    await output.data(receipt, () => shown`You left ${named ?? "the workspace"}`);
  },
});
