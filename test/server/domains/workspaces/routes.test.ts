import { expect, test } from "vitest";
import { apiCases } from "#test/support/api-cases.ts";
import {
  describePlatform,
  field,
  type Answered,
  type TestPlatform,
} from "#test/support/platform.ts";

const absent = "01900000-0000-7000-8000-00000000dead";

function idOf({ json }: Answered): string {
  return String(field(json, "id"));
}

/** A new child of `tenant`, without members. */
async function newChild(the: TestPlatform, slug: string): Promise<{ newChild: string }> {
  const path = `/v4/platform/tenants/${the.workspaces.tenant}/children`;
  const answered = await the.as("tenant-admin").post(path, { slug, displayName: slug });
  return { newChild: idOf(answered) };
}

describePlatform("root workspaces", (the) => {
  const path = "/v4/platform/tenants";
  const root = { slug: "northwind", displayName: "Northwind Council", homeRegion: "au" };

  apiCases(the, [
    {
      name: "the system administrator creates one and becomes its admin",
      as: "system-admin",
      method: "POST",
      path,
      body: { ...root, domain: "northwind.example", usecase: "council", industry: "government" },
      expect: {
        status: 201,
        body: {
          slug: "northwind",
          displayName: "Northwind Council",
          parentId: null,
          domain: "northwind.example",
          usecase: "council",
          industry: "government",
          starterTemplate: "blank-vertical-template",
          homeRegion: "au",
        },
      },
      after: async (platform) => {
        const { json } = await platform.as("system-admin").get("/v4/identity/tenants");
        expect(json).toMatchObject({
          items: expect.arrayContaining([
            expect.objectContaining({ slug: "northwind", role: "tenant-admin" }),
          ]),
        });
      },
    },
    {
      name: "two roots cannot have one slug",
      as: "system-admin",
      method: "POST",
      path,
      body: root,
      expect: { status: 409, code: "already-exists", pointers: ["#/slug"] },
    },
    {
      name: "usecase and template have their defaults",
      as: "system-admin",
      method: "POST",
      path,
      body: { ...root, slug: "southwind" },
      expect: {
        status: 201,
        body: {
          usecase: "generic",
          starterTemplate: "blank-vertical-template",
          domain: null,
          industry: null,
        },
      },
    },
    {
      name: "a home region is required",
      as: "system-admin",
      method: "POST",
      path,
      body: { slug: "nowhere", displayName: "Nowhere" },
      expect: { status: 422, pointers: ["#/homeRegion"] },
    },
    {
      name: "each fault is pointed to",
      as: "system-admin",
      method: "POST",
      path,
      body: {
        slug: "Not Kebab",
        displayName: "",
        homeRegion: "us",
        usecase: "bakery",
        domain: "a.example,b.example",
        colour: "red",
      },
      expect: {
        status: 422,
        code: "validation-failed",
        pointers: ["#/displayName", "#/slug", "#/domain", "#/usecase", "#/homeRegion", "#/colour"],
      },
    },
    ...(
      ["tenant-viewer", "tenant-staff", "tenant-builder", "tenant-admin", "outsider"] as const
    ).map((as) => ({
      name: `${as} may not create one`,
      as,
      method: "POST",
      path,
      body: { ...root, slug: "mine" },
      expect: {
        status: 403,
        code: "permission-denied" as const,
        body: { requiredRole: "system-admin" },
      },
    })),
    {
      name: "a caller without a token may not create one",
      as: "nobody",
      method: "POST",
      path,
      body: root,
      expect: { status: 401, code: "unauthenticated" },
    },
  ]);
});

describePlatform("child workspaces", (the) => {
  const path = "/v4/platform/tenants/{tenant}/children";

  apiCases(the, [
    {
      name: "a child inherits its parent's home region and has no member yet",
      method: "POST",
      path,
      body: { slug: "planning", displayName: "Planning" },
      expect: {
        status: 201,
        body: { slug: "planning", parentId: expect.any(String), homeRegion: "eu" },
      },
      after: async (platform, { json }) => {
        expect(field(json, "parentId")).toBe(platform.workspaces.tenant);
        const id = String(field(json, "id"));
        const members = await platform.as("tenant-admin").get(`/v4/platform/tenants/${id}/members`);
        expect(members.status).toBe(404);
      },
    },
    {
      name: "a child cannot choose its home region",
      method: "POST",
      path,
      body: { slug: "abroad", displayName: "Abroad", homeRegion: "ca" },
      expect: { status: 422, pointers: ["#/homeRegion"] },
    },
    {
      name: "two siblings cannot have one slug",
      method: "POST",
      path,
      body: { slug: "child", displayName: "Another" },
      expect: { status: 409, code: "already-exists", pointers: ["#/slug"] },
    },
    {
      name: "a slug that could be another workspace's ID is refused",
      method: "POST",
      path,
      body: { slug: "01890000-0000-7000-8000-00000000000a", displayName: "Another" },
      expect: { status: 422, body: { detail: "#/slug must not have the form of an ID" } },
    },
    {
      name: "a slug that is too long has one fault",
      method: "POST",
      path,
      body: { slug: "s".repeat(300), displayName: "Another" },
      expect: {
        status: 422,
        body: { errors: [{ pointer: "#/slug", detail: "must have at most 63 characters" }] },
      },
    },
    {
      name: "a child of another parent may have the same slug",
      as: "outsider",
      method: "POST",
      path: "/v4/platform/tenants/{other}/children",
      body: { slug: "child", displayName: "Their child" },
      expect: { status: 201 },
    },
    {
      name: "a root may have a child's slug",
      as: "system-admin",
      method: "POST",
      path: "/v4/platform/tenants",
      body: { slug: "child", displayName: "A root", homeRegion: "ca" },
      expect: { status: 201 },
    },
    ...(["tenant-viewer", "tenant-staff", "tenant-builder"] as const).map((as) => ({
      name: `${as} may not create a child`,
      as,
      method: "POST",
      path,
      body: { slug: "mine", displayName: "Mine" },
      expect: {
        status: 403,
        code: "permission-denied" as const,
        body: { requiredRole: "tenant-admin", currentRole: as },
      },
    })),
    {
      name: "a stranger gets 404 for the parent",
      as: "outsider",
      method: "POST",
      path,
      body: { slug: "mine", displayName: "Mine" },
      expect: { status: 404, code: "not-found", excludes: ["tenant-admin"] },
    },
    {
      name: "a parent that is not a UUID is pointed to",
      method: "POST",
      path: "/v4/platform/tenants/northwind/children",
      body: { slug: "mine", displayName: "Mine" },
      expect: { status: 422, pointers: ["#/path/parentId"] },
    },
    {
      name: "a header that names another workspace is refused",
      method: "POST",
      path,
      headers: { "x-tenant-id": "{child}" },
      body: { slug: "mine", displayName: "Mine" },
      expect: { status: 422, pointers: ["#/header/X-Tenant-Id"] },
    },
  ]);

  test("a tree has at most sixteen levels below its root", async () => {
    const platform = the();
    const admin = platform.as("system-admin");
    let parent = idOf(
      await admin.post("/v4/platform/tenants", {
        slug: "deep",
        displayName: "Deep",
        homeRegion: "eu",
      }),
    );
    for (let depth = 1; depth <= 16; depth += 1) {
      const body = { slug: `level-${depth}`, displayName: `Level ${depth}` };
      const child = await admin.post(`/v4/platform/tenants/${parent}/children`, body);
      expect(child.status).toBe(201);
      const id = idOf(child);
      const path = `/v4/platform/tenants/${parent}/children/${id}/bootstrap-admin`;
      expect((await admin.post(path)).status).toBe(200);
      parent = id;
    }
    const body = { slug: "too-deep", displayName: "Too deep" };
    const refused = await admin.post(`/v4/platform/tenants/${parent}/children`, body);
    expect(refused.json).toMatchObject({ status: 409, code: "conflict" });
    expect(refused.text).toContain("16 levels");
  });
});

describePlatform("the first admin of a child", (the) => {
  const path = "/v4/platform/tenants/{tenant}/children/{newChild}/bootstrap-admin";

  apiCases(the, [
    {
      name: "is the admin of the parent who calls",
      method: "POST",
      path,
      before: (platform) => newChild(platform, "bootstrap-one"),
      expect: {
        status: 200,
        body: { email: "tenant-admin@example.org", role: "tenant-admin", oid: expect.any(String) },
      },
    },
    {
      name: "can retry after a lost response",
      method: "POST",
      path,
      before: async (platform) => {
        const made = await newChild(platform, "bootstrap-two");
        const { tenant } = platform.workspaces;
        await platform
          .as("tenant-admin")
          .post(`/v4/platform/tenants/${tenant}/children/${made.newChild}/bootstrap-admin`);
        return made;
      },
      expect: { status: 200, body: { role: "tenant-admin" } },
    },
    {
      name: "cannot be replaced by another caller",
      as: "system-admin",
      method: "POST",
      path,
      before: async (platform) => {
        const made = await newChild(platform, "bootstrap-three");
        const { tenant } = platform.workspaces;
        await platform
          .as("tenant-admin")
          .post(`/v4/platform/tenants/${tenant}/children/${made.newChild}/bootstrap-admin`);
        return made;
      },
      expect: { status: 409, code: "conflict" },
    },
    {
      name: "of a grandchild cannot be the grandparent's admin",
      method: "POST",
      path: "/v4/platform/tenants/{tenant}/children/{grandchild}/bootstrap-admin",
      before: async (platform) => {
        const made = await newChild(platform, "bootstrap-four");
        const { tenant } = platform.workspaces;
        const admin = platform.as("tenant-admin");
        await admin.post(
          `/v4/platform/tenants/${tenant}/children/${made.newChild}/bootstrap-admin`,
        );
        const grandchild = await admin.post(`/v4/platform/tenants/${made.newChild}/children`, {
          slug: "grandchild",
          displayName: "Grandchild",
        });
        return { grandchild: idOf(grandchild) };
      },
      expect: { status: 404, code: "not-found" },
    },
    {
      name: "of another parent's child is 404",
      method: "POST",
      path: `/v4/platform/tenants/{tenant}/children/{other}/bootstrap-admin`,
      expect: { status: 404, code: "not-found" },
    },
    {
      name: "of a child that does not exist is 404",
      method: "POST",
      path: `/v4/platform/tenants/{tenant}/children/${absent}/bootstrap-admin`,
      expect: { status: 404, code: "not-found" },
    },
    ...(["tenant-viewer", "tenant-staff", "tenant-builder"] as const).map((as) => ({
      name: `is never ${as} of the parent`,
      as,
      method: "POST",
      path: "/v4/platform/tenants/{tenant}/children/{child}/bootstrap-admin",
      expect: {
        status: 403,
        code: "permission-denied" as const,
        body: { requiredRole: "tenant-admin", currentRole: as },
      },
    })),
    {
      name: "is never a stranger",
      as: "outsider",
      method: "POST",
      path: "/v4/platform/tenants/{tenant}/children/{child}/bootstrap-admin",
      expect: { status: 404, code: "not-found" },
    },
  ]);

  test("is one caller of two parallel ones", async () => {
    const platform = the();
    const { newChild: child } = await newChild(platform, "bootstrap-race");
    const path = `/v4/platform/tenants/${platform.workspaces.tenant}/children/${child}/bootstrap-admin`;
    const both = await Promise.all([
      platform.as("tenant-admin").post(path),
      platform.as("system-admin").post(path),
    ]);
    expect(both.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([
      200, 409,
    ]);
  });
});
