import { expect } from "vitest";
import { routes } from "#contract/index.ts";
import { problem } from "#contract/problems.ts";
import type { RouteDefinition } from "#contract/route.ts";
import type { Answered } from "./platform.ts";

/** Those with fewest parameters first, as the router has it. */
const definitions: readonly RouteDefinition[] = Object.values(routes)
  .flatMap((domain) => Object.values<RouteDefinition>(domain))
  .toSorted((one, other) => one.path.split("{").length - other.path.split("{").length);

/** Holds an answer to what the contract says of its route. */
export function checked(method: string, path: string, answered: Answered): Answered {
  const type = answered.headers.get("content-type") ?? "";
  const [pathname = ""] = path.split("?");
  if (!pathname.startsWith("/v4/")) return answered;
  expect(answered.headers.get("x-request-id")).toBeTruthy();
  if (answered.status >= 400) {
    expect(type).toBe("application/problem+json");
    const told = problem.parse(answered.json);
    expect(told).toMatchObject({ status: answered.status, instance: pathname });
    expect(told.requestId).toBe(answered.headers.get("x-request-id"));
    return answered;
  }
  const definition = definitions.find(
    (route) => route.method === method && matches(route.path, pathname),
  );
  if (definition?.reply.type === "json" && type === "application/json") {
    const parsed = definition.reply.schema.safeParse(answered.json);
    expect(parsed.error?.issues ?? []).toEqual([]);
  }
  return answered;
}

function matches(pattern: string, path: string): boolean {
  const wanted = pattern.split("/");
  const segments = path.split("/");
  return (
    wanted.length === segments.length &&
    wanted.every((part, index) => {
      const segment = segments[index] ?? "";
      if (!part.startsWith("{")) return part === segment;
      return part !== "{tenantId}" || segment.length === 36;
    })
  );
}
