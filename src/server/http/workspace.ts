import { configurationRole, isConfigurationType } from "#contract/access/configuration-types.ts";
import { roleIncludes } from "#contract/access/roles.ts";
import type { Exchange } from "./exchange.ts";
import { chained, type Promisable } from "../kit/promisable.ts";
import type { HeldRole, Principal, WorkspaceScope } from "../work/caller.ts";
import type { AccessPort } from "../work/ports.ts";
import { roleTooLow, workspaceNotFound } from "../work/refusals.ts";
import { permissionMissing } from "./pipeline-refusals.ts";

/** The role of the installation's administrator on routes that say so. */
const systemAdminRole: HeldRole = {
  role: "tenant-admin",
  name: "tenant-admin",
  permissions: undefined,
};

/** The caller's role in a workspace; undefined for a stranger, and outside the app of a token. */
export function heldRole(
  { route, principal }: Exchange,
  tenantId: string,
  access: AccessPort,
): Promisable<HeldRole | undefined> {
  const { deletedToo, systemAdminToo } = route.definition;
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

/** Enters the workspace with the caller's role; without a role it is 404. */
export function entered(
  exchange: Exchange,
  id: string,
  held: HeldRole | undefined,
): WorkspaceScope {
  const { definition, id: routeId, changedTypeParameter } = exchange.route;
  const { access } = definition;
  if (held === undefined) throw workspaceNotFound();
  if (access !== "signed-in" && access !== "public" && access !== "system-admin") {
    const { permissions, role, name } = held;
    if (permissions === undefined) {
      if (!roleIncludes(role, access)) throw roleTooLow(access, name);
    } else if (!permissions.has(routeId)) throw permissionMissing(routeId, access, name);
    const changedType = exchange.pathValues[changedTypeParameter];
    if (changedType !== undefined && isConfigurationType(changedType)) {
      if (!roleIncludes(role, configurationRole)) throw roleTooLow(configurationRole, name);
    }
  }
  const workspace = { id, ...held };
  exchange.workspace = workspace;
  return workspace;
}
