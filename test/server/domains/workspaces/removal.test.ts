import { expect, test } from "vitest";
import { apiCases } from "#test/support/api-cases.ts";
import { describePlatform, field, type TestPlatform } from "#test/support/platform.ts";
import { absent, lowRoles, named, newSlug, ownChild } from "./own-child.ts";

describePlatform("the purge of a child by its parent", (the) => {
  const path = "/v4/platform/tenants/{tenant}/children/{own}/delete";
  apiCases(the, [
    {
      name: "answers with the receipt",
      method: "POST",
      path,
      headers: { "x-tenant-id": "{tenant}" },
      before: named,
      expect: {
        status: 200,
        body: {
          childId: "{own}",
          parentId: "{tenant}",
          status: "hard_purged",
          removed: { workspaces: 1, members: 1, objectTypes: 5 },
        },
      },
    },
    {
      name: "needs no membership of the child",
      method: "POST",
      path: "/v4/platform/tenants/{tenant}/children/{bare}/delete",
      before: async (platform) => {
        const children = `/v4/platform/tenants/${platform.workspaces.tenant}/children`;
        const body = { slug: newSlug(), displayName: "Bare" };
        const made = await platform.as("tenant-admin").post(children, body);
        return { bare: String(field(made.json, "id")) };
      },
      expect: { status: 200, body: { status: "hard_purged" } },
    },
    {
      name: "purges a deleted child too",
      method: "POST",
      path,
      before: async (platform) => {
        const own = await ownChild(platform);
        await platform.as("tenant-admin").post(`/v4/platform/tenants/${own}/delete`);
        return { own };
      },
      expect: { status: 200, body: { status: "hard_purged" } },
    },
    {
      name: "refuses a child with descendants",
      method: "POST",
      path,
      before: async (platform) => {
        const own = await ownChild(platform);
        await ownChild(platform, own);
        return { own };
      },
      expect: { status: 409, code: "conflict" },
    },
    {
      name: "refuses a child whose descendants are deleted but not purged",
      method: "POST",
      path,
      before: async (platform) => {
        const own = await ownChild(platform);
        const below = await ownChild(platform, own);
        await platform.as("tenant-admin").post(`/v4/platform/tenants/${below}/delete`);
        return { own };
      },
      expect: { status: 409, code: "conflict" },
    },
    {
      name: "refuses another workspace in the header",
      method: "POST",
      path,
      headers: { "x-tenant-id": "{own}" },
      before: named,
      expect: { status: 422, pointers: ["#/header/X-Tenant-Id"] },
    },
    ...lowRoles.map((as) => ({
      name: `is not for ${as}`,
      as,
      method: "POST",
      path: "/v4/platform/tenants/{tenant}/children/{child}/delete",
      expect: { status: 403, code: "permission-denied" as const },
    })),
    ...(["outsider", "system-admin"] as const).map((as) => ({
      name: `is not for ${as}, who is no member of the parent`,
      as,
      method: "POST",
      path: "/v4/platform/tenants/{own}/children/{below}/delete",
      before: async (platform: TestPlatform) => {
        const own = await ownChild(platform);
        return { own, below: await ownChild(platform, own) };
      },
      expect: { status: 404, code: "not-found" as const },
    })),
    {
      name: "needs a token",
      as: "nobody",
      method: "POST",
      path: "/v4/platform/tenants/{tenant}/children/{child}/delete",
      expect: { status: 401, code: "unauthenticated" },
    },
    {
      name: "of a grandchild is 404",
      method: "POST",
      path: "/v4/platform/tenants/{tenant}/children/{below}/delete",
      before: async (platform) => ({ below: await ownChild(platform, await ownChild(platform)) }),
      expect: { status: 404, code: "not-found" },
    },
    ...["{other}", "{tenant}", absent].map((id) => ({
      name: `of ${id}, which is not its child, is 404`,
      method: "POST",
      path: `/v4/platform/tenants/{tenant}/children/${id}/delete`,
      expect: { status: 404, code: "not-found" as const },
    })),
    {
      name: "refuses an id that is none",
      method: "POST",
      path: "/v4/platform/tenants/{tenant}/children/nonsense/delete",
      expect: { status: 422, pointers: ["#/path/childId"] },
    },
  ]);

  test("twice answers with the first receipt, to its parent only", async () => {
    const own = await ownChild(the());
    const { tenant, other } = the().workspaces;
    const pathOf = (parent: string): string =>
      `/v4/platform/tenants/${parent}/children/${own}/delete`;
    const first = await the().as("tenant-admin").post(pathOf(tenant));
    expect(first.status).toBe(200);
    expect((await the().as("tenant-admin").post(pathOf(tenant))).json).toEqual(first.json);
    expect((await the().as("outsider").post(pathOf(other))).status).toBe(404);
    const restored = await the().as("tenant-admin").post(`/v4/platform/tenants/${own}/restore`);
    expect(restored.status).toBe(404);
  });

  test("frees its slug", async () => {
    const { tenant } = the().workspaces;
    const slug = newSlug();
    const own = await ownChild(the(), tenant, slug);
    const admin = the().as("tenant-admin");
    const children = `/v4/platform/tenants/${tenant}/children`;
    await admin.post(`${children}/${own}/delete`);
    expect((await admin.post(children, { slug, displayName: "Again" })).status).toBe(201);
  });
});

describePlatform("the purge of a tree", (the) => {
  const path = "/v4/platform/tenants/{own}/delete";
  const body = { hardPurge: true };
  const tree = async (platform: TestPlatform) => {
    const own = await ownChild(platform);
    const below = await ownChild(platform, own);
    await platform.as("tenant-admin").post(`/v4/platform/tenants/${own}/delete`);
    await ownChild(platform, below);
    return { own };
  };
  apiCases(the, [
    {
      name: "removes all workspaces below",
      as: "system-admin",
      method: "POST",
      path,
      body,
      before: tree,
      expect: {
        status: 200,
        body: { tenantId: "{own}", status: "hard_purged", removed: { workspaces: 3, members: 3 } },
      },
    },
    ...(["tenant-admin"] as const).map((as) => ({
      name: `is not for ${as}`,
      as,
      method: "POST",
      path,
      body,
      before: tree,
      expect: {
        status: 403,
        code: "permission-denied" as const,
        body: { requiredRole: "system-admin", currentRole: as },
      },
    })),
    {
      name: "is not for a stranger",
      as: "outsider",
      method: "POST",
      path,
      body,
      before: tree,
      expect: { status: 404, code: "not-found" },
    },
    {
      name: "of a workspace that does not exist is 404",
      as: "system-admin",
      method: "POST",
      path: `/v4/platform/tenants/${absent}/delete`,
      body,
      expect: { status: 404, code: "not-found" },
    },
  ]);

  test("twice answers with the first receipt", async () => {
    const { own } = await tree(the());
    const path = `/v4/platform/tenants/${own}/delete`;
    const first = await the().as("system-admin").post(path, body);
    expect(first.status).toBe(200);
    expect((await the().as("system-admin").post(path, body)).json).toEqual(first.json);
  });
});
