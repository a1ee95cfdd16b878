import { roleIncludes, type Role } from "#contract/roles.ts";
import { canonicalUuid } from "#lib/uuid.ts";
import type { WorkspaceScope } from "../handler.ts";
import { roleTooLow, workspaceNotFound } from "../services/workspaces.ts";
import type { Exchange } from "./exchange.ts";
import { faultAt, invalid, type Place } from "./faults.ts";

/** The workspace that path or header names; where both do, they must name the same one. */
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
  if (id === undefined) throw invalid([faultAt(place[0], [place[1]], "must be a UUID")]);
  if (header !== undefined && canonicalUuid(header) !== id) {
    const detail = "names another workspace than the address";
    throw invalid([faultAt("header", ["X-Tenant-Id"], detail)]);
  }
  return id;
}

/** A stranger gets what a workspace that never existed gives. */
export function entered(exchange: Exchange, id: string, role: Role | undefined): WorkspaceScope {
  const { access } = exchange.route.definition;
  if (role === undefined) throw workspaceNotFound();
  if (access !== "signed-in" && access !== "public" && access !== "system-admin") {
    if (!roleIncludes(role, access)) throw roleTooLow(access, role);
  }
  const workspace = { id, role };
  exchange.workspace = workspace;
  return workspace;
}
