import { roles, type Role } from "#contract/access/roles.ts";
import type { RouteFacts } from "#contract/route.ts";
import { chained, type Promisable } from "../kit/promisable.ts";
import type { HeldRole, Principal } from "./caller.ts";
import type { AccessPort } from "./ports.ts";

/** The role of the installation's administrator on routes that say so. */
const systemAdminRole: HeldRole = {
  role: "tenant-admin",
  name: "tenant-admin",
  permissions: undefined,
};

/**
 * The caller's role in a workspace on a route; undefined for a stranger, and outside the app of a
 * token.
 */
export function heldRole(
  { deletedToo, systemAdminToo }: Pick<RouteFacts, "deletedToo" | "systemAdminToo">,
  principal: Principal,
  tenantId: string,
  access: AccessPort,
): Promisable<HeldRole | undefined> {
  const { appWorkspaceId, oid } = principal;
  if (appWorkspaceId !== undefined && appWorkspaceId !== tenantId) {
    return roleWithinApp(principal, tenantId, access);
  }
  // The handler refuses a workspace that does not exist.
  if (systemAdminToo === true && principal.systemAdmin) return systemAdminRole;
  if (deletedToo === true) return access.heldInDeletedToo(tenantId, oid);
  return access.heldIn(tenantId, oid);
}

/** The caller's role in a workspace; undefined for a stranger, and outside the app of a token. */
export function roleWithinApp(
  { appWorkspaceId, oid }: Principal,
  tenantId: string,
  access: AccessPort,
): Promisable<HeldRole | undefined> {
  if (appWorkspaceId === undefined || appWorkspaceId === tenantId) {
    return access.heldIn(tenantId, oid);
  }
  return chained(access.isChildOf(tenantId, appWorkspaceId), (isChild) =>
    isChild ? access.heldIn(tenantId, oid) : undefined,
  );
}

/** A kind of caller that a route refuses whatever its role is; undefined for every other one. */
export function refusedCaller(
  { access, appsToo, peopleOnly, workspace }: RouteFacts,
  { appWorkspaceId, isKey }: Pick<Principal, "appWorkspaceId" | "isKey">,
): "app" | "key" | undefined {
  if (appWorkspaceId !== undefined) {
    const isOutside = workspace === "none" && access !== "public" && appsToo !== true;
    return isOutside || peopleOnly === true ? "app" : undefined;
  }
  return peopleOnly === true && isKey === true ? "key" : undefined;
}

/** A stored role; only a damaged row has another text, which counts as the lowest role. */
export function storedRole(text: string): Role {
  return roles.find((role) => role === text) ?? "tenant-viewer";
}
