import { expect, test } from "vitest";
import { apiCases, faultyBodies } from "#test/support/api-cases.ts";
import { describePlatform, field } from "#test/support/platform.ts";
import { newMember, newRoot, text } from "../world.ts";
import { newKey } from "./new-key.ts";

const path = "/v4/platform/tenants/{tenant}/keys";
const absent = "01900000-0000-7000-8000-00000000dead";

describePlatform("keys of service accounts", (the) => {
  apiCases(the, [
    {
      name: "are created with a token that is shown once",
      as: "tenant-admin",
      method: "POST",
      path,
      body: { name: " Import ", role: "tenant-staff" },
      expect: {
        status: 201,
        body: {
          token: expect.stringMatching(/^svc_[\w-]{43}$/),
          workspaces: ["{tenant}"],
          key: {
            name: "Import",
            role: "tenant-staff",
            status: "active",
            homeTenantId: "{tenant}",
            created_by: "{tenant-admin}",
            expiresAt: null,
            lastUsedAt: null,
          },
        },
      },
    },
    ...faultyBodies({ as: "tenant-admin", path }, [
      ["have a name and one role", { name: " " }, "#/name", "#/role"],
      [
        "have no role next to a role definition",
        { name: "x", role: "tenant-staff", roleDefinitionId: "tenant-admin" },
        "#/role",
      ],
      [
        "have a role of this workspace",
        { name: "x", roleDefinitionId: absent },
        "#/roleDefinitionId",
      ],
      ["never administer the installation", { name: "x", role: "system-admin" }, "#/role"],
      [
        "end in the future",
        { name: "x", role: "tenant-viewer", expiresAt: "2020-01-01T00:00:00Z" },
        "#/expiresAt",
      ],
      [
        "enter only workspaces that their creator administers",
        { name: "x", role: "tenant-viewer", workspaces: ["{other}", absent] },
        "#/workspaces/0",
        "#/workspaces/1",
      ],
    ]),
    ...(["tenant-viewer", "tenant-staff", "tenant-builder"] as const).flatMap((as) => [
      {
        name: `are not listed for ${as}`,
        as,
        method: "GET",
        path,
        expect: { status: 403, body: { requiredRole: "tenant-admin", currentRole: as } },
      },
      {
        name: `are not created by ${as}`,
        as,
        method: "POST",
        path,
        body: { name: "x", role: "tenant-viewer" },
        expect: { status: 403, body: { requiredRole: "tenant-admin", currentRole: as } },
      },
    ]),
    {
      name: "of another workspace are not listed",
      as: "outsider",
      method: "GET",
      path,
      expect: { status: 404, code: "not-found" },
    },
    {
      name: "that do not exist cannot be revoked",
      method: "DELETE",
      path: `${path}/${absent}`,
      expect: { status: 404, code: "not-found" },
    },
    {
      name: "that do not exist cannot get a role",
      method: "PATCH",
      path: `${path}/${absent}/roles`,
      body: { role: "tenant-viewer" },
      expect: { status: 404, code: "not-found" },
    },
    {
      name: "with an invalid id are pointed to",
      method: "DELETE",
      path: `${path}/import`,
      expect: { status: 422, pointers: ["#/path/keyId"] },
    },
    {
      name: "of an unknown token are refused",
      as: "nobody",
      method: "GET",
      path: "/v4/identity/me",
      headers: { authorization: `Bearer svc_${"A".repeat(43)}` },
      expect: { status: 401, code: "token-invalid", excludes: ["AAAA"] },
    },
  ]);

  test("are listed in pages, for admins of their workspace", async () => {
    const root = await newRoot(the());
    const person = await newMember(the(), root, { role: "tenant-admin" });
    const made = [];
    for (let at = 0; at < 3; at += 1) made.push((await newKey(the(), root)).id);
    const keys = `/v4/platform/tenants/${root}/keys?limit=2`;
    const first = await person.call.get(keys);
    const next = encodeURIComponent(text(first, "nextCursor"));
    const second = await person.call.get(`${keys}&cursor=${next}`);
    const ids = [first, second].flatMap(({ json }) =>
      (field(json, "items") as { keyId: string }[]).map(({ keyId }) => keyId),
    );
    expect(ids).toEqual(made.toReversed());
    expect(first.text).not.toContain("svc_");
  });
});
