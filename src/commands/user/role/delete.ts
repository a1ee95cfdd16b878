import { shown } from "#cli/shown.ts";
import { inputError } from "#cli/errors.ts";
import { catalogError } from "#contract/errors.ts";
import { command } from "../../command.ts";
import { confirm } from "../../input/confirm.ts";
import { forceOption } from "../../resources/records/options.ts";
import { workspaceOption } from "../members.ts";

export const userRoleDeleteCommand = command({
  path: "user role delete",
  summary: "Delete a workspace-defined role that nothing uses",
  arguments: [{ name: "role", description: "Key or ID of the role" }],
  options: { workspace: workspaceOption, force: forceOption },
  routes: [
    "GET /v4/platform/tenants/{tenantId}/role-definitions",
    "DELETE /v4/platform/tenants/{tenantId}/role-definitions/{roleDefinitionId}",
  ],
  async run(input, context) {
    const { output, signal } = context;
    const { role: name } = input.arguments;
    if (!input.options.force) await confirm(context, `Delete the role ${name}?`, "--force");
    const client = await context.client({ workspace: input.options.workspace });
    const { items } = await client.members.roleDefinitions({ signal });
    const role = items.find(({ id, key }) => key === name || id === name.toLowerCase());
    if (role === undefined) throw catalogError("E202", { resource: `Role "${name}"` });
    if (role.kind === "base") throw inputError(`${role.key} is a base role`);
    const params = { roleDefinitionId: role.id };
    const deleted = await client.members.deleteRole({ params, signal });
    await output.data(deleted, () => shown`Deleted the role ${role.key}`);
  },
});
