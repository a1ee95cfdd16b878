import { expect, test } from "vitest";
import { routes } from "#contract/index.ts";
import { pageDomains } from "#contract/plain/route-line.ts";
import {
  domainNames,
  formOf,
  loadShapes,
  plainRoute,
  routeNames,
} from "#contract/plain/route-table.ts";
import type { RouteDefinition } from "#contract/route.ts";

test("a page has the shapes of its domains without a further script", () => {
  for (const domain of pageDomains) expect(loadShapes(domain)).toBeUndefined();
  expect(formOf("resources", "list", "reply")).toBeDefined();
});

test("after they are loaded, each part of each route has a form", async () => {
  for (const domain of domainNames) {
    await loadShapes(domain);
    for (const [name, route] of Object.entries<RouteDefinition>(routes[domain])) {
      const { body, reply } = route;
      const parts = {
        params: route.params,
        query: route.query,
        body: body?.type === "json" ? body.schema : undefined,
        fields: body?.type === "multipart" ? body.fields : undefined,
        reply: "schema" in reply ? reply.schema : undefined,
        events: route.events,
        alternative: route.alternative,
      } as const;
      for (const part of Object.keys(parts) as (keyof typeof parts)[]) {
        const form = formOf(domain, name, part);
        expect(form !== undefined, `${domain}.${name} ${part}`).toBe(parts[part] !== undefined);
      }
    }
  }
});

test("the facts of each route are those of the contract", () => {
  for (const domain of domainNames) {
    const definitions = Object.entries<RouteDefinition>(routes[domain]);
    expect(routeNames(domain)).toEqual(definitions.map(([name]) => name));
    for (const [name, { method, path, workspace, access, reply, ...more }] of definitions) {
      expect(plainRoute(`${domain}.${name}`), `${domain}.${name}`).toMatchObject({
        method,
        path,
        workspace,
        reply: { type: reply.type },
        ...(access === "public" ? { isPublic: true } : {}),
        ...(more.idempotent === true ? { idempotent: true } : {}),
        ...(more.body === undefined ? {} : { body: { type: more.body.type } }),
      });
    }
  }
});

test.each(["resources.lst", "resourcs.list", "list", "resources.", "resources.constructor"])(
  "no route has the name %s",
  (name) => {
    expect(() => plainRoute(name as "resources.list")).toThrow(`The contract has no route ${name}`);
  },
);
