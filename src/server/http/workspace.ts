import { roleIncludes } from "#contract/roles.ts";
import { canonicalUuid } from "#lib/uuid.ts";
import type { WorkspaceScope } from "./handler.ts";
import type { Exchange } from "./exchange.ts";
import { faultAt, invalid, withGiven, type Place } from "./faults.ts";
import { chained, type Promisable } from "../kit/promisable.ts";
import type { AccessPort, HeldRole } from "./ports.ts";
import { permissionMissing, roleTooLow, workspaceNotFound } from "./pipeline-refusals.ts";

/** The workspace that the path or the header names; if both name one, it must be the same. */
export function namedWorkspace(exchange: Exchange): string | undefined {
  const { definition, workspaceParameter } = exchange.route;
  const header = exchange.headers.get("x-tenant-id") ?? undefined;
  let named = header;
  let place: readonly [Place, string] = ["header", "X-Tenant-Id"];
  if (definition.workspace === "path") {
    named = exchange.pathValues[workspaceParameter];
    place = ["path", exchange.route.parameterNames[workspaceParameter] ?? ""];
  }
  if (named === undefined || named === "") {
    if (definition.body?.type === "multipart") return undefined;
    throw invalid([faultAt(place[0], [place[1]], "is required")]);
  }
  const id = canonicalUuid(named);
  if (id === undefined) {
    throw invalid([faultAt(place[0], [place[1]], withGiven("must be a UUID", named))]);
  }
  if (header !== undefined && canonicalUuid(header) !== id) {
    const detail = "must be the workspace of the path";
    throw invalid([faultAt("header", ["X-Tenant-Id"], detail)]);
  }
  return id;
}

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
    return chained(access.isChildOf(tenantId, appWorkspaceId), (isChild) =>
      isChild ? access.heldIn(tenantId, oid) : undefined,
    );
  }
  // The handler refuses a workspace that does not exist.
  if (systemAdminToo === true && principal.systemAdmin) return systemAdminRole;
  if (deletedToo === true) return access.heldInDeletedToo(tenantId, oid);
  return access.heldIn(tenantId, oid);
}

/** Enters the workspace with the caller's role; without a role it is 404. */
export function entered(
  exchange: Exchange,
  id: string,
  held: HeldRole | undefined,
): WorkspaceScope {
  const { definition, id: routeId } = exchange.route;
  const { access } = definition;
  if (held === undefined) throw workspaceNotFound();
  if (access !== "signed-in" && access !== "public" && access !== "system-admin") {
    const { permissions, role, name } = held;
    if (permissions === undefined) {
      if (!roleIncludes(role, access)) throw roleTooLow(access, name);
    } else if (!permissions.has(routeId)) throw permissionMissing(routeId, access, name);
  }
  const workspace = { id, role: held.role, permissions: held.permissions };
  exchange.workspace = workspace;
  return workspace;
}
