import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { routes } from "#contract/index.ts";
import { repliesEmpty, type Method, type RouteDefinition } from "#contract/route.ts";
import { endpointOf, type Endpoint } from "#server/http/routing/endpoint.ts";
import { PathSegments } from "#server/http/routing/path-segments.ts";
import { Router } from "#server/http/routing/router.ts";

function endpoint(method: Method, path: RouteDefinition["path"], isScoped = false): Endpoint {
  const definition: RouteDefinition = {
    method,
    path,
    summary: "",
    source: "",
    access: "public",
    workspace: isScoped ? "path" : "none",
    reply: repliesEmpty,
  };
  return endpointOf(`${method} ${path}`, definition, () => undefined);
}

function find(router: Router, method: Method, path: string): string | undefined {
  return router.find(method, new PathSegments(path))?.endpoint.id;
}

function values(router: Router, method: Method, path: string): readonly string[] | undefined {
  return router.find(method, new PathSegments(path))?.values;
}

const workspace = "01900000-0000-7000-8000-000000000001";

describe("the contract's routes", () => {
  const contract = new Router(
    Object.entries(routes).flatMap(([domain, definitions]) =>
      Object.entries<RouteDefinition>(definitions).map(([name, definition]) =>
        endpointOf(`${domain}.${name}`, definition, () => undefined),
      ),
    ),
  );

  test.each([
    ["GET", "/v4/identity/me", "identity.me"],
    ["GET", `/v4/data/resources/${workspace}/licence`, "resources.list"],
    ["GET", "/v4/data/resources/object-types", "objectTypes.list"],
    ["GET", `/v4/data/resources/schema/${workspace}`, "objectTypes.schema"],
    ["GET", "/v4/data/resources/health", "health.resources"],
    ["POST", `/v4/ai/chat/${workspace}/assistant/chat`, "chat.send"],
    ["POST", `/v4/ai/chat/stream/${workspace}/assistant/chat`, "chat.stream"],
    ["GET", `/v4/ai/chat/${workspace}/conversations`, "chat.conversations"],
    // A workflow may have the name of a route; the method distinguishes them.
    ["POST", `/v4/ai/chat/${workspace}/conversations/chat`, "chat.send"],
    ["GET", `/v4/ai/chat/${workspace}/conversations/chat`, "chat.conversation"],
  ] as const)("%s %s is %s", (method, path, id) => {
    expect(find(contract, method, path)).toBe(id);
  });

  test.each([
    // Only PATCH exists: this is not a record list of a workspace "object-types".
    ["GET", "/v4/data/resources/object-types/licence", ["PATCH"]],
    ["POST", `/v4/data/resources/schema/${workspace}`, ["GET"]],
    ["DELETE", "/v4/identity/me", ["GET"]],
  ] as const)("%s %s is not allowed; the path has %s", (method, path, methods) => {
    expect(find(contract, method, path)).toBeUndefined();
    expect(contract.methods(new PathSegments(path))).toEqual(methods);
  });

  test("a workspace that is not a UUID still has its route, which reports the fault", () => {
    expect(find(contract, "GET", "/v4/data/resources/northwind/licence")).toBe("resources.list");
  });

  test.each([
    "/v4/identity/me/",
    "/v4/identity//me",
    "/v4/Identity/me",
    "/v4",
    "/",
    "",
    `/v4/data/resources/${workspace}/`,
  ])("%s is not a path of the platform", (path) => {
    expect(find(contract, "GET", path)).toBeUndefined();
    expect(contract.methods(new PathSegments(path))).toEqual([]);
  });
});

test("returns the parameters in the order of the path", () => {
  const router = new Router([endpoint("GET", "/v4/{one}/x/{two}")]);
  expect(values(router, "GET", "/v4/a/x/b")).toEqual(["a", "b"]);
});

test("drops the parameters of a branch that does not match", () => {
  const router = new Router([
    endpoint("GET", "/v4/{one}/b/{three}/d"),
    endpoint("GET", "/v4/a/{two}/c"),
  ]);
  expect(values(router, "GET", "/v4/a/b/c/d")).toEqual(["a", "c"]);
});

test("two routes with one method and path throw at the start", () => {
  const twins = [endpoint("GET", "/v4/{one}"), endpoint("GET", "/v4/{two}")];
  expect(() => new Router(twins)).toThrow("GET /v4/{two} and GET /v4/{one} are both GET /v4/{two}");
});

test("finds the same route as a search through all routes", () => {
  const segment = fc.constantFrom("a", "b", "{p}", "{q}");
  const shape = fc.record({
    method: fc.constantFrom<Method>("GET", "POST"),
    segments: fc.array(segment, { minLength: 1, maxLength: 4 }),
  });
  const request = fc.record({
    method: fc.constantFrom<Method>("GET", "POST"),
    segments: fc.array(fc.constantFrom("a", "b", "c", ""), { maxLength: 5 }),
  });
  fc.assert(
    fc.property(fc.array(shape, { maxLength: 12 }), fc.array(request), (shapes, requests) => {
      const table = new Map<string, Endpoint>();
      for (const { method, segments } of shapes) {
        // A parameter's name does not make a different route.
        const place = segments.map((part) => (part.startsWith("{") ? "{}" : part)).join("/");
        table.set(`${method} ${place}`, endpoint(method, `/v4/${segments.join("/")}`));
      }
      const endpoints = [...table.values()];
      const router = new Router(endpoints);
      for (const { method, segments } of requests) {
        const path = ["", "v4", ...segments].join("/");
        expect(find(router, method, path)).toBe(plainSearch(endpoints, method, path)?.id);
      }
    }),
  );
});

/** The matching route with the leftmost literals. */
function plainSearch(
  endpoints: readonly Endpoint[],
  method: Method,
  path: string,
): Endpoint | undefined {
  const parts = path.split("/").slice(1);
  const fitting = endpoints.filter(
    ({ definition, segments }) =>
      definition.method === method &&
      segments.length === parts.length &&
      segments.every((segment, index) =>
        segment.startsWith("{") ? parts[index] !== "" : segment === parts[index],
      ),
  );
  const rank = ({ segments }: Endpoint) =>
    segments.map((segment) => (segment.startsWith("{") ? "1" : "0")).join("");
  return fitting.toSorted((one, other) => rank(one).localeCompare(rank(other)))[0];
}
