/** The dashboard imports this file at start-up, so it imports no schema library. */
export const roles = ["tenant-viewer", "tenant-staff", "tenant-builder", "tenant-admin"] as const;
/** A member's role in a workspace; each role includes the ones before it (spec 2.1). */
export type Role = (typeof roles)[number];

/**
 * The access that a route requires. `public`: none; `signed-in`: a valid token; a role: that role
 * or a higher one in the request's workspace; `system-admin`: the installation's administrator.
 */
export type Access = "public" | "signed-in" | Role | "system-admin";

/** True if the role `held` includes the role `required`. */
export function roleIncludes(held: Role, required: Role): boolean {
  return roles.indexOf(held) >= roles.indexOf(required);
}

/** A caller's role: `name` is the key of a workspace-defined role, else the same as `role`. */
interface NamedHolder {
  readonly role: Role;
  readonly name: string;
}

/** True if a caller has a right that these roles have: a named role includes those above it. */
export function isAmong(
  named: readonly string[] | undefined,
  { role, name }: NamedHolder,
): boolean {
  if (named === undefined || role === "tenant-admin" || named.includes(name)) return true;
  return roles.some((each) => named.includes(each) && roleIncludes(role, each));
}

/** The role that an action requires by default: the one that may update records. */
export const defaultActionRole: Role = "tenant-staff";

/** A role as members and requests name it: a base role, or a role definition by its id. */
export interface NamedRole {
  readonly role?: string | undefined;
  readonly roleDefinitionId?: string | undefined;
}

/**
 * True if a member keeps all permissions when `next` replaces `held`. A base role includes the
 * lower ones; a workspace-defined role only includes itself.
 */
export function keepsPermissions(held: NamedRole, next: NamedRole): boolean {
  const wanted = next.roleDefinitionId ?? next.role;
  if (held.roleDefinitionId !== undefined) return held.roleDefinitionId === wanted?.toLowerCase();
  return (
    roles.findIndex((role) => role === wanted) >= roles.findIndex((role) => role === held.role)
  );
}
