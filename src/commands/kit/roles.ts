import { textOption } from "#cli/command.ts";
import { missingField } from "#cli/errors.ts";
import { roles, type Role } from "#contract/access/roles.ts";
import { given } from "#lib/given.ts";

export const roleDefinitionOption = textOption(
  "id",
  "A role of the workspace instead; see `svc user roles`",
);

/** `--role` and `--role-definition-id`, of which a call needs one. */
export const roleOptions = {
  role: { type: "string", values: roles, description: "Base role" },
  "role-definition-id": { ...roleDefinitionOption, excludes: ["role"] },
} as const;

/** The chosen role, as requests have it. Throws E303 without one. */
export function chosenRole(options: {
  readonly role?: Role;
  readonly "role-definition-id"?: string;
}) {
  const { role, "role-definition-id": roleDefinitionId } = options;
  if (role === undefined && roleDefinitionId === undefined) {
    throw missingField("--role", "`svc user roles` lists them");
  }
  return given({ role, roleDefinitionId });
}

/** A role as people read it: the workspace's own name of it, or the base role. */
export function roleWords({
  role,
  roleName,
}: {
  readonly role?: string | undefined;
  readonly roleName?: string | undefined;
}): string {
  return roleName ?? role ?? "";
}
