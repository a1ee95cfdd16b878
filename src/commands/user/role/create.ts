import { given } from "#lib/given.ts";
import { command } from "../../kit/command.ts";
import { nameList } from "../../kit/output/rows.ts";
import { workspaceOption } from "../../kit/workspaces/options.ts";

export default command({
  path: "user role create",
  summary: "Define a role of a workspace",
  description:
    "A role is made of permissions, which are names of routes such as `resources.create`, or " +
    "`resources.*` for a domain. `svc user can` lists them. Permissions of tenant-admin stay " +
    "with that role.",
  arguments: [{ name: "key", description: "Key in kebab-case" }],
  options: {
    name: { type: "string", required: true, description: "Display name" },
    permissions: {
      type: "string",
      required: true,
      placeholder: "names",
      description: "Permissions, separated by commas",
    },
    description: { type: "string", description: "Purpose of the role" },
    workspace: workspaceOption,
  },
  calls: ["members.createRole"],
  answer: "members.createRole",
  examples: [`svc user role create importer --name Importer --permissions "documents.*"`],
  trials: ["feller{unique} --name Feller --permissions documents.*"],
  async run(input, context) {
    const { options } = input;
    const { output, signal } = context;
    const permissions = nameList("--permissions", options.permissions);
    const client = await context.client({ workspace: options.workspace });
    const body = {
      key: input.arguments.key,
      displayName: options.name,
      permissions,
      ...given({ description: options.description }),
    };
    const role = await client.members.createRole({ body, signal });
    await output.data(role, () =>
      output.fields([
        ["id", role.id],
        ["key", role.key],
        ["permissions", String(role.permissions?.length ?? 0)],
        ["counts as", role.role],
      ]),
    );
  },
});
