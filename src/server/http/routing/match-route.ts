import { Refusal } from "#contract/problems.ts";
import { routedMethod, type Exchange } from "../exchange.ts";
import { PathSegments } from "./path-segments.ts";
import type { Router } from "./router.ts";

/** Finds the endpoint of a request, or answers OPTIONS; refuses 404 and 405. */
export function matchRoute(exchange: Exchange, router: Pick<Router, "find" | "methods">): void {
  const segments = new PathSegments(exchange.path);
  if (exchange.method === "OPTIONS") {
    const allowed = router.methods(segments);
    if (allowed.length === 0) throw new Refusal("route-not-found");
    const headers = {
      allow: allowField(allowed),
      ...acceptFields(router, segments),
      "x-request-id": exchange.requestId,
    };
    exchange.response = new Response(null, { status: 200, headers });
    return;
  }
  const match = router.find(routedMethod(exchange.method), segments);
  if (match !== undefined) {
    exchange.endpoint = match.endpoint;
    exchange.pathValues = match.values;
    return;
  }
  const allowed = router.methods(segments);
  if (allowed.length === 0) throw new Refusal("route-not-found");
  throw new Refusal("method-not-allowed", {
    detail: `This path accepts ${allowed.join(", ")}`,
    headers: { allow: allowField(allowed) },
  });
}

/** The media types of the bodies that this path takes (RFC 5789, and Accept-Post of LDP). */
function acceptFields(router: Pick<Router, "find">, segments: PathSegments) {
  const fields: Record<string, string> = {};
  for (const [field, method] of [
    ["accept-post", "POST"],
    ["accept-patch", "PATCH"],
  ] as const) {
    const body = router.find(method, segments)?.endpoint.definition.body;
    if (body?.type !== "json") continue;
    fields[field] = [...(body.mediaTypes ?? []), "application/json"].join(", ");
  }
  return fields;
}

function allowField(methods: readonly string[]): string {
  return [...methods, ...(methods.includes("GET") ? ["HEAD"] : []), "OPTIONS"].join(", ");
}
