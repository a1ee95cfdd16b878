import { isJsonObject } from "#lib/json/value.ts";
import { canonicalUuid } from "#lib/uuid.ts";
import { faultAt, invalid, withGiven, type Place } from "../kit/faults.ts";
import type { Endpoint } from "./routing/endpoint.ts";

interface RoutedRequest {
  readonly route: Endpoint;
  readonly headers: Headers;
  readonly pathValues: readonly string[];
  /** The query as it came, without its question mark. */
  readonly search: string;
  /** Undefined until it is validated; the body too. */
  readonly query: unknown;
  readonly body: unknown;
}

/**
 * The workspace that the path, the query, the body or the header names; if the header and another
 * part name one, it must be the same.
 */
export function namedWorkspace(request: RoutedRequest): string | undefined {
  const { definition, parameterNames, workspaceParameter } = request.route;
  const header = request.headers.get("x-tenant-id") ?? undefined;
  let named = header;
  let place: readonly [Place, string] = ["header", "X-Tenant-Id"];
  if (definition.workspace === "path") {
    named = request.pathValues[workspaceParameter];
    place = ["path", parameterNames[workspaceParameter] ?? ""];
  } else if (definition.workspace === "header") {
    // A link of OGC API Features carries no header field. Other routes refuse the parameter later.
    const linked = request.search.includes("tenant_id")
      ? new URLSearchParams(request.search).get("tenant_id")
      : null;
    if (linked !== null) [named, place] = [linked, ["query", "tenant_id"]];
  } else if (definition.workspace === "tenant_id") {
    const part = definition.query === undefined ? "body" : "query";
    const value = request[part];
    const given = isJsonObject(value) ? value["tenant_id"] : undefined;
    // A schema that requires the member has refused a request without it.
    named = typeof given === "string" ? given : header;
    place = [part, "tenant_id"];
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
    const detail = `must be the workspace of the ${place[0]}`;
    throw invalid([faultAt("header", ["X-Tenant-Id"], detail)]);
  }
  return id;
}
