import { shown } from "#cli/shown.ts";
import { inputError } from "#cli/errors.ts";
import { catalogError } from "#contract/errors.ts";
import { command } from "../../kit/command.ts";
import { workspaceOption } from "../../kit/workspaces/options.ts";

export default command({
  path: "user role delete",
  summary: "Delete a workspace-defined role that nothing uses",
  arguments: [{ name: "role", description: "Key or ID of the role" }],
  options: { workspace: workspaceOption },
  calls: ["members.roleDefinitions", "members.deleteRole"],
  answer: "members.deleteRole",
  trials: [
    { words: "feller --force", at: ["other"] },
    { words: "{id} --force", at: ["stub"] },
  ],
  confirms: ({ arguments: { role } }) => `Delete the role ${role}?`,
  async run(input, context) {
    const { output, signal } = context;
    const { role: name } = input.arguments;
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
