import { describe, expect, test } from "vitest";
import { routes } from "#contract/index.ts";
import type { RouteDefinition } from "#contract/route.ts";
import { apiCases } from "#test/support/api-cases.ts";
import { bodyNaming } from "#test/support/named-workspace.ts";
import { describePlatform, field, type TestPlatform } from "#test/support/platform.ts";

import { absent, lowRoles, named, ownChild } from "./own-child.ts";

const dayMs = 24 * 60 * 60 * 1000;

async function listed(the: TestPlatform, query = ""): Promise<string[]> {
  const { json } = await the.as("tenant-admin").get(`/v4/identity/tenants${query}`);
  return (field(json, "items") as { id: string }[]).map(({ id }) => id);
}

describePlatform("deletion of a workspace", (the) => {
  const path = "/v4/platform/tenants/{own}/delete";
  apiCases(the, [
    {
      name: "answers with the deadline",
      method: "POST",
      path,
      before: named,
      expect: {
        status: 200,
        body: {
          tenantId: "{own}",
          slug: expect.stringMatching(/^own-/),
          status: "deleted",
          deletedAt: expect.any(String),
          restorableUntil: expect.any(String),
        },
      },
      after: async (platform, { json }) => {
        const times = [field(json, "deletedAt"), field(json, "restorableUntil")];
        const [from = 0, until = 0] = times.map((time) => Date.parse(String(time)));
        expect(until - from).toBe(30 * dayMs);
        const id = String(field(json, "tenantId"));
        expect(await listed(platform)).not.toContain(id);
        expect(await listed(platform, "?deleted=true")).toContain(id);
      },
    },
    ...lowRoles.map((as) => ({
      name: `is not for ${as}`,
      as,
      method: "POST",
      path: "/v4/platform/tenants/{tenant}/delete",
      expect: {
        status: 403,
        code: "permission-denied" as const,
        body: { requiredRole: "tenant-admin", currentRole: as },
      },
    })),
    {
      name: "needs a token",
      as: "nobody",
      method: "POST",
      path: "/v4/platform/tenants/{tenant}/delete",
      expect: { status: 401, code: "unauthenticated" },
    },
    {
      name: "of a stranger's workspace is 404",
      as: "outsider",
      method: "POST",
      path: "/v4/platform/tenants/{tenant}/delete",
      expect: { status: 404, code: "not-found" },
    },
    {
      name: "of a workspace that does not exist is 404 for the system administrator too",
      as: "system-admin",
      method: "POST",
      path: `/v4/platform/tenants/${absent}/delete`,
      expect: { status: 404, code: "not-found" },
    },
    {
      name: "refuses other members of the body",
      method: "POST",
      path,
      before: named,
      body: { hardPurge: "yes", force: true },
      expect: { status: 422, pointers: ["#/hardPurge", "#/force"] },
    },
    {
      name: "refuses an id that is none",
      method: "POST",
      path: "/v4/platform/tenants/nonsense/delete",
      expect: { status: 422, pointers: ["#/path/tenantId"] },
    },
    {
      name: "refuses a workspace with a living child",
      method: "POST",
      path: "/v4/platform/tenants/{tenant}/delete",
      expect: { status: 409, code: "conflict" },
    },
    {
      name: "is for the system administrator without a membership",
      as: "system-admin",
      method: "POST",
      path,
      before: named,
      expect: { status: 200, body: { status: "deleted" } },
    },
  ]);

  test("twice answers with the first receipt", async () => {
    const id = await ownChild(the());
    const path = `/v4/platform/tenants/${id}/delete`;
    const first = await the().as("tenant-admin").post(path);
    the().advance(1000);
    expect((await the().as("tenant-admin").post(path)).json).toEqual(first.json);
  });

  test("keeps its slug", async () => {
    const id = await ownChild(the());
    const admin = the().as("tenant-admin");
    const deleted = await admin.post(`/v4/platform/tenants/${id}/delete`);
    const body = { slug: field(deleted.json, "slug"), displayName: "Again" };
    const again = await admin.post(
      `/v4/platform/tenants/${the().workspaces.tenant}/children`,
      body,
    );
    expect(again).toMatchObject({ status: 409 });
  });

  describe("makes every other route answer as if it did not exist", () => {
    const scoped = Object.entries(routes).flatMap(([domain, definitions]) =>
      Object.entries<RouteDefinition>(definitions)
        .filter(([, { workspace, deletedToo }]) => workspace !== "none" && deletedToo !== true)
        .map(([name, definition]) => ({ id: `${domain}.${name}`, definition })),
    );
    let deleted: Promise<string> | undefined;
    test.each(scoped)("$id", async ({ definition }) => {
      deleted ??= ownChild(the()).then(async (id) => {
        // The role is in the caches of each part.
        const admin = the().as("tenant-admin");
        await admin.get(`/v4/data/resources/schema/${id}`);
        await admin.post(`/v4/platform/tenants/${id}/delete`);
        return id;
      });
      const id = await deleted;
      const path = definition.path.replaceAll(/\{(\w+)\}/g, (_whole, name: string) => {
        if (name === "tenantId" || name === "parentId") return id;
        return name === "page" ? "1" : absent;
      });
      const isGiven = definition.workspace === "tenant_id";
      const query = isGiven && definition.body === undefined ? `?tenant_id=${id}` : "";
      // The platform reads a body that names the workspace, and no other one.
      const notRead = isGiven ? { body: bodyNaming(id, definition) } : { rawBody: "not read" };
      const response = await the()
        .as("tenant-admin")
        .fetch(definition.method, path + query, {
          headers: {
            ...(definition.workspace === "header" ? { "x-tenant-id": id } : {}),
            ...(definition.body === undefined || isGiven ? {} : { "content-type": "text/plain" }),
          },
          ...(definition.body === undefined ? {} : notRead),
        });
      expect(await response.json()).toMatchObject({
        status: 404,
        code: "not-found",
        detail: "The workspace does not exist, or you are not a member of it",
      });
    });
  });
});

describePlatform("restoration of a workspace", (the) => {
  const path = "/v4/platform/tenants/{own}/restore";
  const deletedChild = async (platform: TestPlatform) => {
    const own = await ownChild(platform);
    await platform.as("tenant-admin").post(`/v4/platform/tenants/${own}/delete`);
    return { own };
  };
  apiCases(the, [
    {
      name: "brings it back with its content",
      method: "POST",
      path,
      before: deletedChild,
      expect: { status: 200, body: { tenantId: "{own}", status: "restored" } },
      after: async (platform, { json }) => {
        const id = String(field(json, "tenantId"));
        expect(await listed(platform)).toContain(id);
        expect(await listed(platform, "?deleted=true")).not.toContain(id);
        const schema = await platform.as("tenant-admin").get(`/v4/data/resources/schema/${id}`);
        expect(field(schema.json, "objectTypes")).toHaveLength(5);
      },
    },
    {
      name: "is for the system administrator without a membership",
      as: "system-admin",
      method: "POST",
      path,
      before: deletedChild,
      expect: { status: 200, body: { status: "restored" } },
    },
    {
      name: "is not for a stranger",
      as: "outsider",
      method: "POST",
      path,
      before: deletedChild,
      expect: { status: 404, code: "not-found" },
    },
    ...lowRoles.map((as) => ({
      name: `is not for ${as}`,
      as,
      method: "POST",
      path: "/v4/platform/tenants/{tenant}/restore",
      expect: { status: 403, code: "permission-denied" as const },
    })),
    {
      name: "needs a token",
      as: "nobody",
      method: "POST",
      path: "/v4/platform/tenants/{tenant}/restore",
      expect: { status: 401, code: "unauthenticated" },
    },
    {
      name: "refuses one that is not deleted",
      method: "POST",
      path: "/v4/platform/tenants/{tenant}/restore",
      expect: { status: 409, code: "conflict" },
    },
    {
      name: "of a workspace that does not exist is 404",
      method: "POST",
      path: `/v4/platform/tenants/${absent}/restore`,
      expect: { status: 404, code: "not-found" },
    },
    {
      name: "refuses an id that is none",
      method: "POST",
      path: "/v4/platform/tenants/nonsense/restore",
      expect: { status: 422, pointers: ["#/path/tenantId"] },
    },
  ]);

  test("needs a living parent", async () => {
    const parent = await ownChild(the());
    const child = await ownChild(the(), parent);
    const admin = the().as("tenant-admin");
    for (const id of [child, parent]) {
      expect((await admin.post(`/v4/platform/tenants/${id}/delete`)).status).toBe(200);
    }
    const refused = await admin.post(`/v4/platform/tenants/${child}/restore`);
    expect(refused).toMatchObject({ status: 409 });
    expect(refused.text).toContain("restore the parent first");
    for (const id of [parent, child]) {
      expect((await admin.post(`/v4/platform/tenants/${id}/restore`)).status).toBe(200);
    }
  });
});

describePlatform("the deadline of a deleted workspace", (the) => {
  /** Tokens end with the days. */
  const later = async (days: number) => {
    the().advance(days * dayMs);
    const email = "tenant-admin@example.org";
    const { token } = await the().platform.mintToken({ email, ttlMs: dayMs });
    const headers = { authorization: `Bearer ${token}` };
    const idsOf = async (query: string): Promise<string[]> => {
      const { json } = await the().as("nobody").get(`/v4/identity/tenants${query}`, { headers });
      return (field(json, "items") as { id: string }[]).map(({ id }) => id);
    };
    const post = (path: string) => the().as("nobody").post(path, undefined, { headers });
    return { idsOf, post };
  };

  test("ends its restoration, and purges children before their parent", async () => {
    const parent = await ownChild(the());
    const child = await ownChild(the(), parent);
    const kept = await ownChild(the());
    const admin = the().as("tenant-admin");
    for (const id of [child, parent]) await admin.post(`/v4/platform/tenants/${id}/delete`);
    const { removal } = the().platform.services;
    const before = await later(29);
    await removal.purgeOverdue();
    const restorable = await before.idsOf("?deleted=true");
    expect(restorable.toSorted()).toEqual([parent, child].toSorted());

    const after = await later(2);
    const refused = await after.post(`/v4/platform/tenants/${parent}/restore`);
    expect(refused.text).toContain("its deadline has passed");
    await removal.purgeOverdue();
    expect(await after.idsOf("?deleted=true")).toEqual([]);
    expect(await after.idsOf("")).toContain(kept);
    const gone = await after.post(`/v4/platform/tenants/${parent}/restore`);
    expect(gone.status).toBe(404);
    expect(the().log).toEqual([]);
  });
});
