import { missingField } from "#cli/errors.ts";
import { command } from "../command.ts";
import { roleValues, workspaceOption } from "../user/members.ts";
import { keyArgument, keyIdOf, keyRole, roleOptionText } from "./keys.ts";

export const keyRoleCommand = command({
  path: "key role",
  summary: "Change the role of an API key in a workspace",
  arguments: [keyArgument],
  options: {
    role: { ...roleValues, description: "Base role" },
    "role-definition-id": { ...roleOptionText, excludes: ["role"] },
    workspace: workspaceOption,
  },
  routes: ["PATCH /v4/platform/tenants/{tenantId}/keys/{keyId}/roles"],
  async run(input, context) {
    const { options } = input;
    const { output, signal } = context;
    const keyId = keyIdOf(input.arguments.key);
    const definitionId = options["role-definition-id"];
    if (options.role === undefined && definitionId === undefined) {
      throw missingField("--role", "`svc user roles` lists them");
    }
    const body = {
      ...(options.role === undefined ? {} : { role: options.role }),
      ...(definitionId === undefined ? {} : { roleDefinitionId: definitionId }),
    };
    const client = await context.client({ workspace: options.workspace });
    const key = await client.keys.setRole({ params: { keyId }, body, signal });
    await output.data(key, () =>
      output.fields([
        ["id", key.keyId],
        ["name", key.name],
        ["role", keyRole(key)],
      ]),
    );
  },
});
