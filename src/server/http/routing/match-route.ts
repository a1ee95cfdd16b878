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
    const headers = { allow: allowField(allowed), "x-request-id": exchange.requestId };
    exchange.response = new Response(null, { status: 204, headers });
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

function allowField(methods: readonly string[]): string {
  return [...methods, ...(methods.includes("GET") ? ["HEAD"] : []), "OPTIONS"].join(", ");
}
