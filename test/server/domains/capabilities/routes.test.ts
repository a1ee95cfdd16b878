import { expect, test } from "vitest";
import { routes } from "#contract/index.ts";
import { roleIncludes, roles } from "#contract/access/roles.ts";
import { apiCases } from "#test/support/api-cases.ts";
import { describePlatform, field } from "#test/support/platform.ts";

const evaluate = "/v4/platform/capabilities/evaluate";

describePlatform("capabilities", (the) => {
  apiCases(the, [
    {
      name: "an allowed one",
      as: "tenant-staff",
      method: "POST",
      path: evaluate,
      body: { capability: "resources.create", tenantId: "{tenant}" },
      expect: {
        status: 200,
        body: { allowed: true, requiredRole: "tenant-staff", currentRole: "tenant-staff" },
      },
    },
    {
      name: "a refused one, by method and path",
      as: "tenant-viewer",
      method: "POST",
      path: evaluate,
      body: {
        capability: "PATCH /v4/platform/tenants/{tenantId}/members/{memberId}/roles",
        tenantId: "{tenant}",
      },
      expect: {
        status: 200,
        body: {
          allowed: false,
          reason: "needs tenant-admin; you are tenant-viewer",
          requiredRole: "tenant-admin",
          currentRole: "tenant-viewer",
        },
      },
    },
    {
      name: "several",
      as: "tenant-builder",
      method: "POST",
      path: evaluate,
      body: { capabilities: ["resources.list", "members.invite"], tenantId: "{tenant}" },
      expect: {
        status: 200,
        body: {
          allowed: false,
          decisions: [{ allowed: true }, { capability: "members.invite", allowed: false }],
        },
      },
    },
    {
      name: "one of the installation",
      method: "POST",
      path: evaluate,
      body: { capability: "members.disableUser" },
      expect: { status: 200, body: { allowed: false, requiredRole: "system-admin" } },
    },
    {
      name: "one of every user",
      as: "outsider",
      method: "POST",
      path: evaluate,
      body: { capability: "identity.me" },
      expect: { status: 200, body: { allowed: true } },
    },
    {
      name: "one of a workspace needs the workspace",
      method: "POST",
      path: evaluate,
      body: { capability: "resources.create" },
      expect: { status: 422, pointers: ["#/tenantId"] },
    },
    {
      name: "one of the workspace of X-Tenant-Id",
      as: "tenant-staff",
      method: "POST",
      path: evaluate,
      headers: { "x-tenant-id": "{tenant}" },
      body: { capability: "resources.create" },
      expect: { status: 200, body: { allowed: true, currentRole: "tenant-staff" } },
    },
    {
      name: "two workspaces are refused",
      as: "tenant-staff",
      method: "POST",
      path: evaluate,
      headers: { "x-tenant-id": "{child}" },
      body: { capability: "resources.create", tenantId: "{tenant}" },
      expect: { status: 422, pointers: ["#/header/X-Tenant-Id"] },
    },
    {
      name: "a stranger's question by the header",
      as: "outsider",
      method: "POST",
      path: evaluate,
      headers: { "x-tenant-id": "{tenant}" },
      body: { capability: "resources.list" },
      expect: { status: 404, code: "not-found" },
    },
    {
      name: "the administrator of the installation, who is no member",
      as: "system-admin",
      method: "POST",
      path: evaluate,
      body: { capabilities: ["workspaceRemoval.restore", "resources.list"], tenantId: "{child}" },
      expect: {
        status: 200,
        body: {
          decisions: [
            { allowed: true, currentRole: "system-admin" },
            { allowed: false, reason: "you are not a member of this workspace" },
          ],
        },
      },
    },
    {
      name: "an unknown one",
      method: "POST",
      path: evaluate,
      body: { capability: "resources.fly", tenantId: "{tenant}" },
      expect: { status: 422, pointers: ["#/capability"] },
    },
    {
      name: "neither one nor several",
      method: "POST",
      path: evaluate,
      body: {},
      expect: { status: 422 },
    },
    {
      name: "a stranger's question about a workspace",
      as: "outsider",
      method: "POST",
      path: evaluate,
      body: { capability: "resources.list", tenantId: "{tenant}" },
      expect: { status: 404, code: "not-found" },
    },
  ]);

  test("the catalog has every route of the contract", async () => {
    const catalog = await the().as("tenant-viewer").get("/v4/platform/capabilities/catalog");
    const items = field(catalog.json, "items") as { capability: string; requiredRole: string }[];
    const wanted = Object.entries(routes).flatMap(([domain, definitions]) =>
      Object.entries(definitions).map(([name, { access }]) => [`${domain}.${name}`, access]),
    );
    expect(items.map(({ capability, requiredRole }) => [capability, requiredRole])).toEqual(wanted);
  });

  test("a decision for each role and route is what the route itself decides", async () => {
    const { tenant } = the().workspaces;
    const all = Object.entries(routes).flatMap(([domain, definitions]) =>
      Object.entries(definitions).flatMap(([name, { access }]) => {
        const needed = roles.find((role) => role === access);
        return needed === undefined ? [] : [{ capability: `${domain}.${name}`, needed }];
      }),
    );
    const capabilities = all.map(({ capability }) => capability);
    for (const role of roles) {
      const { json } = await the().as(role).post(evaluate, { capabilities, tenantId: tenant });
      const decisions = field(json, "decisions") as { allowed: boolean }[];
      expect(decisions.map(({ allowed }) => allowed)).toEqual(
        all.map(({ needed }) => roleIncludes(role, needed)),
      );
    }
  });
});
