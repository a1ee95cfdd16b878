import { expect, test } from "vitest";
import type { PlainRoute } from "#contract/plain/plain-route.ts";
import { lineOf, nameIn, routeOf } from "#contract/plain/route-line.ts";

test.each<PlainRoute>([
  { method: "GET", path: "/v4/health", workspace: "none", reply: { type: "json" }, isPublic: true },
  {
    method: "POST",
    path: "/v4/platform/tenants/{tenantId}/things",
    workspace: "path",
    reply: { type: "events" },
    body: { type: "json", isOptional: true },
    idempotent: true,
    many: true,
    hasQuery: true,
  },
  {
    method: "PUT",
    path: "/v4/things/{rest}",
    workspace: "header",
    reply: { type: "empty" },
    body: { type: "bytes", contentType: "application/octet-stream" },
    takesRest: true,
  },
  {
    method: "PATCH",
    path: "/v4/things",
    workspace: "tenant_id",
    reply: { type: "bytes" },
    body: { type: "multipart", files: "files" },
    asks: true,
    hasEvents: true,
  },
])("a route is the same after its line: $method $path", (route) => {
  const line = lineOf("name", route);
  expect(line.split("\n")).toHaveLength(1);
  expect(nameIn(line)).toBe("name");
  expect(routeOf(line)).toEqual(route);
});
