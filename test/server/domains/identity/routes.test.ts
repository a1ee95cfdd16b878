import { expect, test } from "vitest";
import { apiCases } from "#test/support/api-cases.ts";
import { describePlatform } from "#test/support/platform.ts";

describePlatform("identity", (the) => {
  apiCases(the, [
    {
      name: "me is the user of the token",
      as: "tenant-staff",
      method: "GET",
      path: "/v4/identity/me",
      expect: {
        status: 200,
        body: {
          email: "tenant-staff@example.org",
          displayName: "tenant-staff",
          systemAdmin: false,
        },
        headers: { "cache-control": "no-store" },
      },
    },
    {
      name: "the first user is the installation's administrator",
      as: "system-admin",
      method: "GET",
      path: "/v4/identity/me",
      expect: { status: 200, body: { email: "admin@localhost", systemAdmin: true } },
    },
    {
      name: "me without a token",
      as: "nobody",
      method: "GET",
      path: "/v4/identity/me",
      expect: {
        status: 401,
        code: "unauthenticated",
        headers: { "www-authenticate": 'Bearer realm="svc"' },
      },
    },
    {
      name: "tenants are the caller's memberships",
      as: "tenant-viewer",
      method: "GET",
      path: "/v4/identity/tenants",
      expect: { status: 200, body: { items: [{ slug: "tenant", role: "tenant-viewer" }] } },
    },
    {
      name: "tenants of a member of one workspace name no other workspace",
      as: "outsider",
      method: "GET",
      path: "/v4/identity/tenants",
      expect: {
        status: 200,
        body: { items: [{ slug: "other", role: "tenant-admin" }] },
        excludes: ['"slug":"tenant"'],
      },
    },
    {
      name: "tenants, a page of one",
      as: "outsider",
      method: "GET",
      path: "/v4/identity/tenants?limit=1",
      expect: { status: 200, body: { items: [{ slug: "other" }], page: 1, hasNextPage: false } },
    },
    {
      name: "tenants, past the last page",
      as: "outsider",
      method: "GET",
      path: "/v4/identity/tenants?limit=1&page=2",
      expect: { status: 200, body: { items: [], page: 2, hasNextPage: false } },
    },
    {
      name: "tenants, more than a page can have",
      as: "outsider",
      method: "GET",
      path: "/v4/identity/tenants?limit=1001",
      expect: { status: 422, pointers: ["#/query/limit"] },
    },
    {
      name: "tenants without a token",
      as: "nobody",
      method: "GET",
      path: "/v4/identity/tenants",
      expect: { status: 401, code: "unauthenticated" },
    },
    {
      name: "provision returns the caller each time",
      as: "outsider",
      method: "POST",
      path: "/v4/identity/me/provision",
      expect: { status: 200, body: { email: "outsider@example.org" } },
    },
    {
      name: "provision without a token",
      as: "nobody",
      method: "POST",
      path: "/v4/identity/me/provision",
      expect: { status: 401, code: "unauthenticated" },
    },
    {
      name: "the profile can be renamed",
      as: "tenant-builder",
      method: "PATCH",
      path: "/v4/identity/me/profile",
      body: { displayName: "Bo Builder", firstName: "Bo", lastName: "Builder" },
      expect: {
        status: 200,
        body: { displayName: "Bo Builder", firstName: "Bo", lastName: "Builder" },
      },
      after: async (platform) => {
        const me = await platform.as("tenant-builder").get("/v4/identity/me");
        expect(me.json).toMatchObject({ displayName: "Bo Builder", lastName: "Builder" });
      },
    },
    {
      name: "the profile refuses other properties and points to each",
      as: "tenant-viewer",
      method: "PATCH",
      path: "/v4/identity/me/profile",
      body: { displayName: " ", systemAdmin: true, email: "other@example.org" },
      expect: {
        status: 422,
        code: "validation-failed",
        pointers: ["#/displayName", "#/systemAdmin", "#/email"],
      },
    },
    {
      name: "the profile without a token",
      as: "nobody",
      method: "PATCH",
      path: "/v4/identity/me/profile",
      body: { displayName: "Anonymous" },
      expect: { status: 401, code: "unauthenticated" },
    },
  ]);

  test("none of these requests is logged", () => {
    expect(the().log).toEqual([]);
  });
});
