import { expect, test } from "vitest";
import { subjectOf } from "#client/subject.ts";
import { routes } from "#contract/index.ts";
import type { RouteDefinition } from "#contract/route.ts";

const all = Object.values(routes).flatMap((domain) => Object.values<RouteDefinition>(domain));

test.each(all.map((route) => [`${route.method} ${route.path}`, route] as const))(
  "%s names what is missing by a noun",
  (_name, route) => {
    const names = [...route.path.matchAll(/\{(\w+)\}/g)].flatMap(([, name]) => name ?? []);
    const params = Object.fromEntries(names.map((name) => [name, "7"]));
    const subject = subjectOf(route, { params }, undefined);
    if (names.length > 0)
      expect(subject).toMatch(
        /^(?:[A-Z][a-z]+ (?:Type |type |link |template |source |endpoint |call |rule )?)?7/,
      );
  },
);

test("a missing invitation is named, though only the body has its secret", () => {
  const { acceptInvitation, declineInvitation } = routes.identity;
  for (const route of [acceptInvitation, declineInvitation]) {
    expect(subjectOf(route, {}, undefined)).toBe("Invitation");
  }
});

test("a workspace is that of the call, then that of the client", () => {
  const route = { method: "GET", path: "/v4/platform/tenants/{tenantId}/keys" };
  expect(subjectOf(route, {}, "own")).toBe("Workspace own");
  expect(subjectOf(route, { tenantId: "other" }, "own")).toBe("Workspace other");
});
