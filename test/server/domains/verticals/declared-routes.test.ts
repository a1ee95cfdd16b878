import { expect, test } from "vitest";
import {
  declaredRoutes,
  matchDeclared,
  methodsOf,
} from "#server/domains/verticals/declared-routes.ts";

const type = "ledger";
const declared = (...routes: readonly object[]) =>
  declaredRoutes({ config: { routes: routes.map((route) => ({ type, ...route })) } });

test.each([
  ["a schema that is itself", { $defs: { a: { $ref: "#/$defs/a" } }, $ref: "#/$defs/a" }, "$ref"],
  ["a dynamic reference", { items: { $dynamicRef: "#a" } }, "$dynamicRef"],
  ["a pattern below a list", { anyOf: [{ items: { pattern: "(a+)+$" } }] }, "pattern"],
  ["patterns of names", { patternProperties: { "(a+)+$": {} } }, "patternProperties"],
])("%s is refused without running it", (_, body, keyword) => {
  const { routes, faults } = declared({ method: "POST", path: "entries", body });
  expect(routes).toEqual([]);
  expect(faults).toEqual([
    {
      pointer: "#/config/routes/0/body",
      detail: expect.stringContaining(`must not use ${keyword}`),
    },
  ]);
});

test("properties may have the names of keywords", () => {
  const body = { type: "object", properties: { pattern: { const: "$ref" }, $ref: { enum: [1] } } };
  const [route] = declared({ method: "POST", path: "entries", body }).routes;
  expect(route?.bodySchema?.safeParse({ pattern: "$ref", $ref: 1 }).success).toBe(true);
  expect(route?.bodySchema?.safeParse({ pattern: "other" }).success).toBe(false);
});

test("a definition is written in the places that refer to it", () => {
  const body = {
    $defs: { site: { type: "object", properties: { town: { type: "string" } } } },
    type: "object",
    properties: { from: { $ref: "#/$defs/site" }, to: { $ref: "#/$defs/site" } },
  };
  const [declaredOne] = declared({ method: "POST", path: "entries", body }).routes;
  expect(declaredOne?.route.body).toEqual({
    type: "object",
    properties: { from: body.$defs.site, to: body.$defs.site },
  });
  expect(declaredOne?.bodySchema?.safeParse({ to: { town: 1 } }).success).toBe(false);
  expect(declaredOne?.bodySchema?.safeParse({ to: { town: "Ayr" } }).success).toBe(true);
});

test("a property has one name", () => {
  const fields = { state: "status", condition: "status" };
  const { routes, faults } = declared({ method: "GET", path: "entries", fields });
  expect(routes).toEqual([]);
  const detail = "names the property status twice";
  expect(faults).toEqual([{ pointer: "#/config/routes/0/fields", detail }]);
});

test("a literal segment matches before a parameter, and an empty one matches none", () => {
  const { routes } = declared(
    { method: "GET", path: "{any}/{id}" },
    { method: "GET", path: "entries/{id}" },
    { method: "PATCH", path: "entries/{id}" },
  );
  const match = matchDeclared(routes, "GET", "entries/1");
  expect(match?.declared.route.path).toBe("entries/{id}");
  expect(match?.parameters).toEqual({ id: "1" });
  for (const path of ["entries/", "entries", "entries/1/2", "/entries/1"]) {
    expect(matchDeclared(routes, "GET", path), path).toBeUndefined();
  }
  expect(matchDeclared(routes, "DELETE", "entries/1")).toBeUndefined();
  expect(methodsOf(routes, "entries/1")).toEqual(["GET", "PATCH"]);
});
