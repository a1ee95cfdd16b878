import { configurationRole, isConfigurationType } from "#contract/access/configuration-types.ts";
import { roleIncludes } from "#contract/access/roles.ts";
import type { Exchange } from "./exchange.ts";
import type { HeldRole, WorkspaceScope } from "../work/caller.ts";
import { roleTooLow, workspaceNotFound } from "../work/refusals.ts";
import { permissionMissing } from "./pipeline-refusals.ts";

/** Enters the workspace with the caller's role; without a role it is 404. */
export function entered(
  exchange: Exchange,
  id: string,
  held: HeldRole | undefined,
): WorkspaceScope {
  const { definition, id: routeId, changedTypeParameter } = exchange.route;
  const { access } = definition;
  if (held === undefined) throw workspaceNotFound();
  const { role, name, permissions } = held;
  if (access !== "signed-in" && access !== "public" && access !== "system-admin") {
    if (permissions === undefined) {
      if (!roleIncludes(role, access)) throw roleTooLow(access, name);
    } else if (!permissions.has(routeId)) throw permissionMissing(routeId, access, name);
    const changedType = exchange.pathValues[changedTypeParameter];
    if (changedType !== undefined && isConfigurationType(changedType)) {
      if (!roleIncludes(role, configurationRole)) throw roleTooLow(configurationRole, name);
    }
  }
  const workspace = { id, role, name, permissions };
  exchange.workspace = workspace;
  return workspace;
}
