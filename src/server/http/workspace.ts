import { roleIncludes } from "#contract/roles.ts";
import { canonicalUuid } from "#lib/uuid.ts";
import { enterWorkspaceScope } from "../kit/data-scope.ts";
import type { WorkspaceScope } from "./handler.ts";
import type { Exchange } from "./exchange.ts";
import { faultAt, invalid, type Place } from "./faults.ts";
import type { HeldRole } from "./ports.ts";
import { roleTooLow, workspaceNotFound } from "./pipeline-refusals.ts";

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
  if (id === undefined) throw invalid([faultAt(place[0], [place[1]], "must be a UUID")]);
  if (header !== undefined && canonicalUuid(header) !== id) {
    const detail = "must be the workspace of the path";
    throw invalid([faultAt("header", ["X-Tenant-Id"], detail)]);
  }
  return id;
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
    const isAllowed = held.permissions?.has(routeId) ?? roleIncludes(held.role, access);
    if (!isAllowed) throw roleTooLow(access, held.name);
  }
  const workspace = { id, role: held.role };
  exchange.workspace = workspace;
  enterWorkspaceScope(id, exchange.signedIn?.oid ?? "");
  return workspace;
}
