/** No schema library is imported here: the dashboard needs these before any answer. */

/** Base roles of a member (spec 2.1), each including the ones before it. */
export const roles = ["tenant-viewer", "tenant-staff", "tenant-builder", "tenant-admin"] as const;
/** What a member may do in a workspace, each role with all that those before it may (spec 2.1). */
export type Role = (typeof roles)[number];

/**
 * What a route asks of its caller. `public`: nothing; `signed-in`: a valid token;
 * a role: that role or a higher one in the request's workspace; `system-admin`: the
 * installation's administrator.
 */
export type Access = "public" | "signed-in" | Role | "system-admin";

/** Whether a member with `held` may do what asks for `wanted`. */
export function roleIncludes(held: Role, wanted: Role): boolean {
  return roles.indexOf(held) >= roles.indexOf(wanted);
}

/** What an action of an Object Type needs where it names no role: the role that may update. */
export const defaultActionRole: Role = "tenant-staff";
