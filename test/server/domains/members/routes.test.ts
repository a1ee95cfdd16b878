import { describe, expect, test } from "vitest";
import { apiCases } from "#test/support/api-cases.ts";
import { describePlatform, field, type Answered } from "#test/support/platform.ts";

const absent = "01900000-0000-7000-8000-00000000dead";

describePlatform("members", (the) => {
  const path = "/v4/platform/tenants/{tenant}/members";
  const emails = ({ json }: Answered): unknown[] => {
    const items = field(json, "items");
    return Array.isArray(items) ? items.map((item) => field(item, "email")) : [];
  };

  apiCases(the, [
    {
      name: "every member sees them, sorted by e-mail address",
      as: "tenant-viewer",
      method: "GET",
      path,
      expect: {
        status: 200,
        body: {
          items: [
            { email: "admin@localhost", role: "tenant-admin", status: "active" },
            { email: "tenant-admin@example.org", role: "tenant-admin" },
            { email: "tenant-builder@example.org", role: "tenant-builder" },
            { email: "tenant-staff@example.org", role: "tenant-staff" },
            { email: "tenant-viewer@example.org", role: "tenant-viewer" },
          ],
          page: 1,
          limit: 20,
          hasNextPage: false,
          nextCursor: null,
        },
        excludes: ["outsider", "total", "password"],
      },
    },
    {
      name: "a page of them, and their number",
      method: "GET",
      path: `${path}?limit=2&page=2&sort=-email&count=true`,
      expect: {
        status: 200,
        body: {
          items: [{ email: "tenant-builder@example.org" }, { email: "tenant-admin@example.org" }],
          page: 2,
          limit: 2,
          hasNextPage: true,
          total: 5,
        },
      },
    },
    {
      name: "a search in names and addresses ignores the case",
      method: "GET",
      path: `${path}?search=STAFF`,
      expect: { status: 200, body: { items: [{ email: "tenant-staff@example.org" }] } },
    },
    {
      name: "a search takes % as a percent sign",
      method: "GET",
      path: `${path}?search=%25`,
      expect: { status: 200, body: { items: [] } },
    },
    {
      name: "a filter by role",
      method: "GET",
      path: `${path}?where=${encodeURIComponent('{"role":{"$in":["tenant-viewer","tenant-staff"]}}')}`,
      expect: {
        status: 200,
        body: {
          items: [{ email: "tenant-staff@example.org" }, { email: "tenant-viewer@example.org" }],
        },
      },
    },
    {
      name: "a filter by user ids finds members of this workspace only",
      method: "GET",
      // The test fills in the users' ids.
      path: `${path}?where=${encodeURIComponent(
        '{"oid":{"$in":["{tenant-staff}","{outsider}","no-user"]}}',
      ).replaceAll(/%7B([a-z-]+)%7D/g, "{$1}")}`,
      expect: {
        status: 200,
        body: { items: [{ email: "tenant-staff@example.org" }] },
        excludes: ["outsider"],
      },
    },
    ...['{"email":"a\\u0000"}', '{"email":{"$eq":"\\ud800"}}'].map((where) => ({
      name: `a filter by text that cannot be stored is refused: ${where}`,
      method: "GET",
      path: `${path}?where=${encodeURIComponent(where)}`,
      expect: { status: 422 },
    })),
    {
      name: "an unknown operator is pointed to",
      method: "GET",
      path: `${path}?where=${encodeURIComponent('{"role":{"$regex":".*"}}')}`,
      expect: { status: 422, pointers: ["#/query/where/role/$regex"] },
    },
    {
      name: "an unknown field is pointed to",
      method: "GET",
      path: `${path}?where=${encodeURIComponent('{"password_hash":"x"}')}`,
      expect: { status: 422, pointers: ["#/query/where/password_hash"] },
    },
    {
      name: "a filter that is not JSON",
      method: "GET",
      path: `${path}?where={`,
      expect: { status: 422, pointers: ["#/query/where"] },
    },
    {
      name: "an unknown sort field",
      method: "GET",
      path: `${path}?sort=password_hash`,
      expect: { status: 422, pointers: ["#/query/sort"] },
    },
    {
      name: "a limit and a page out of range",
      method: "GET",
      path: `${path}?limit=501&page=0`,
      expect: { status: 422, pointers: ["#/query/page", "#/query/limit"] },
    },
    {
      name: "parameters that are unknown or repeated",
      method: "GET",
      path: `${path}?limt=5&page=1&page=2`,
      expect: { status: 422, pointers: ["#/query/limt", "#/query/page"] },
    },
    {
      name: "a made-up cursor",
      method: "GET",
      path: `${path}?cursor=5.AAAA`,
      expect: { status: 422, pointers: ["#/query/cursor"] },
    },
    {
      name: "a stranger gets no list",
      as: "outsider",
      method: "GET",
      path,
      expect: { status: 404, code: "not-found" },
    },
  ]);

  test("a cursor lists each of them once, and is valid for its own list only", async () => {
    const platform = the();
    const base = `/v4/platform/tenants/${platform.workspaces.tenant}/members?limit=2`;
    const admin = platform.as("tenant-admin");
    const seen: unknown[] = [];
    let page = await admin.get(base);
    seen.push(...emails(page));
    const first = String(field(page.json, "nextCursor"));
    for (let cursor = field(page.json, "nextCursor"); typeof cursor === "string";) {
      page = await admin.get(`${base}&cursor=${encodeURIComponent(cursor)}`);
      seen.push(...emails(page));
      cursor = field(page.json, "nextCursor");
    }
    expect(seen).toEqual([
      "admin@localhost",
      "tenant-admin@example.org",
      "tenant-builder@example.org",
      "tenant-staff@example.org",
      "tenant-viewer@example.org",
    ]);
    const other = await admin.get(`${base}&sort=-email&cursor=${encodeURIComponent(first)}`);
    expect(other.status).toBe(422);
  });
});

describePlatform("a user's memberships", (the) => {
  const path = "/v4/platform/tenants/{tenant}/users";

  describe("in a workspace and below it", () => {
    apiCases(the, [
      {
        name: "an admin sees all of them",
        method: "GET",
        path: `${path}/{tenant-admin}/memberships`,
        before: async (platform) => {
          const { tenant, child } = platform.workspaces;
          const bootstrap = `/v4/platform/tenants/${tenant}/children/${child}/bootstrap-admin`;
          await platform.as("tenant-admin").post(bootstrap);
        },
        expect: {
          status: 200,
          body: {
            items: [
              { slug: "tenant", role: "tenant-admin" },
              { slug: "child", role: "tenant-admin" },
            ],
          },
        },
      },
      {
        name: "a viewer sees another user's only in workspaces of the viewer",
        as: "tenant-viewer",
        method: "GET",
        path: `${path}/{tenant-admin}/memberships`,
        expect: { status: 200, body: { items: [{ slug: "tenant" }] }, excludes: ['"child"'] },
      },
      {
        name: "a user of another workspace has none",
        method: "GET",
        path: `${path}/{outsider}/memberships`,
        expect: { status: 200, body: { items: [] } },
      },
      {
        name: "an unknown user has none",
        method: "GET",
        path: `${path}/${absent}/memberships`,
        expect: { status: 200, body: { items: [] } },
      },
      {
        name: "an invalid user id is pointed to",
        method: "GET",
        path: `${path}/me/memberships`,
        expect: { status: 422, pointers: ["#/path/oid"] },
      },
      {
        name: "text that cannot be stored is pointed to",
        method: "GET",
        path: `${path}/%00/memberships`,
        expect: {
          status: 422,
          pointers: ["#/path/oid"],
          body: { errors: [{ detail: "contains a NUL character or half a surrogate pair" }] },
        },
      },
      {
        name: "a stranger sees nothing",
        as: "outsider",
        method: "GET",
        path: `${path}/{outsider}/memberships`,
        expect: { status: 404, code: "not-found" },
      },
    ]);
  });
});
