import { expect } from "vitest";
import * as z from "zod";
import { routes } from "#contract/index.ts";
import { openApi } from "#contract/openapi/openapi.ts";
import { problem } from "#contract/problems.ts";
import type { RouteDefinition } from "#contract/route.ts";
import type { Answered } from "./platform.ts";

/** Routes by method and number of segments, with the fewest parameters first as in the router. */
const definitions = Map.groupBy(
  Object.values(routes)
    .flatMap((domain) => Object.values<RouteDefinition>(domain))
    .map((route) => ({ route, pattern: route.path.split("/") }))
    .toSorted(
      (one, other) => one.route.path.split("{").length - other.route.path.split("{").length,
    ),
  ({ route, pattern }) => `${route.method} ${pattern.length}`,
);

/** The OpenAPI document's schema for each status of each operation. */
const documented = z
  .object({
    paths: z.record(
      z.string(),
      z.record(
        z.string(),
        z.object({
          responses: z.record(
            z.string(),
            z.object({ content: z.record(z.string(), z.unknown()).optional() }),
          ),
        }),
      ),
    ),
  })
  .parse(openApi({ version: "0.0.0" })).paths;

/** Requires that the OpenAPI document has an answer's status, and a success's media type. */
function requireDocumented(route: RouteDefinition, { status, headers }: Answered): void {
  const operation = documented[route.path]?.[route.method.toLowerCase()];
  const response = operation?.responses[String(status)];
  if (response === undefined) {
    expect.fail(`OpenAPI: ${route.method} ${route.path} does not have the status ${status}`);
  }
  const type = (headers.get("content-type") ?? "").split(";")[0] ?? "";
  const types = Object.keys(response.content ?? {});
  if (status >= 400 || types.length === 0 || types.includes("*/*")) return;
  if (types.includes(type)) return;
  expect.fail(`OpenAPI: ${route.method} ${route.path} does not have the type ${type}`);
}

/**
 * Requires that an answer fits its route in the contract. Each call of a test comes here, so that
 * it compares before it asks `expect` for a message, which takes longer than all the rest.
 */
export function checked(method: string, path: string, answered: Answered): Answered {
  const type = answered.headers.get("content-type") ?? "";
  const [pathname = ""] = path.split("?");
  if (!pathname.startsWith("/v4/")) return answered;
  const requestId = answered.headers.get("x-request-id") ?? "";
  if (requestId === "") expect.fail(`${method} ${path} answers without an x-request-id`);
  const definition = routeOf(method, pathname.split("/"));
  if (definition !== undefined) requireDocumented(definition, answered);
  if (answered.status >= 400) {
    const { status, instance, requestId: named } = problem.parse(answered.json);
    const seen = [type, status, instance, named];
    const wanted = ["application/problem+json", answered.status, pathname, requestId];
    if (seen.some((each, at) => each !== wanted[at])) expect(seen).toEqual(wanted);
    return answered;
  }
  const isOther = definition?.reply.type === "json" && definition.reply.alsoAs?.includes(type);
  if (definition?.reply.type === "json" && isOther !== true && type.endsWith("json")) {
    const parsed = definition.reply.schema.safeParse(answered.json);
    if (!parsed.success) expect(parsed.error.issues).toEqual([]);
    requireFeedCursor(definition, answered);
  }
  return answered;
}

/** Requires the cursor of the feed in the body and the header of a list of one workspace. */
function requireFeedCursor({ reply, workspace }: RouteDefinition, answered: Answered): void {
  if (workspace === "none" || reply.type !== "json" || !("shape" in reply.schema)) return;
  if (!Object.hasOwn(reply.schema.shape as object, "feedCursor")) return;
  const { feedCursor } = answered.json as { readonly feedCursor?: string };
  if (typeof feedCursor === "string" && answered.headers.get("x-feed-cursor") === feedCursor) {
    return;
  }
  expect.fail(`a list of a workspace has no cursor of the feed: ${answered.text.slice(0, 200)}`);
}

function routeOf(method: string, segments: readonly string[]): RouteDefinition | undefined {
  const matches = (part: string, index: number): boolean => {
    if (!part.startsWith("{")) return part === segments[index];
    return part !== "{tenantId}" || segments[index]?.length === 36;
  };
  return definitions
    .get(`${method} ${segments.length}`)
    ?.find(({ pattern }) => pattern.every(matches))?.route;
}
