import { expect, test } from "vitest";
import { apiCases } from "#test/support/api-cases.ts";
import { describePlatform, field } from "#test/support/platform.ts";
import { apps, inside, inTenant, newApp, redirectUri, secretOf } from "./world.ts";

const redirectUris = [redirectUri];
const inOther = { "x-tenant-id": "{other}" };

describePlatform("apps that sign users in", (the) => {
  apiCases(the, [
    {
      name: "are registered with a secret that is shown once",
      as: "tenant-admin",
      method: "POST",
      path: apps,
      headers: inTenant,
      body: { key: "first-portal", displayName: " Portal ", redirectUris },
      expect: {
        status: 200,
        body: {
          created: true,
          issuer: "http://platform.test/auth",
          clientSecret: expect.stringMatching(/^svcs_[\w-]{43}$/),
          key: "first-portal",
          displayName: "Portal",
          redirectUris,
          status: "active",
          rotationPending: false,
        },
      },
    },
    {
      name: "are confirmed by the key, without the secret",
      as: "tenant-admin",
      method: "POST",
      path: apps,
      headers: inTenant,
      body: { key: "second-portal", redirectUris },
      sentBefore: "as it is",
      expect: {
        status: 200,
        body: { created: false, key: "second-portal" },
        excludes: ["svcs_"],
      },
    },
    {
      name: "are confirmed by the client, with changes",
      as: "tenant-admin",
      method: "POST",
      path: apps,
      headers: inTenant,
      before: async (platform) => ({ ...(await newApp(platform)) }),
      body: {
        clientId: "{clientId}",
        displayName: "Other",
        redirectUris: ["http://localhost:3000/cb"],
      },
      expect: {
        status: 200,
        body: {
          created: false,
          displayName: "Other",
          redirectUris: ["http://localhost:3000/cb"],
        },
      },
    },
    {
      name: "replay a keyed creation without the secret",
      as: "tenant-admin",
      method: "POST",
      path: apps,
      headers: { ...inTenant, "idempotency-key": "an-app" },
      body: { key: "keyed-portal", redirectUris },
      sentBefore: "as it is",
      expect: {
        status: 200,
        body: { created: true, note: expect.stringContaining("first answer") },
        excludes: ["svcs_"],
      },
    },
    {
      name: "need redirect addresses",
      as: "tenant-admin",
      method: "POST",
      path: apps,
      headers: inTenant,
      body: { key: "no-redirect" },
      expect: { status: 422, pointers: ["#/redirectUris"] },
    },
    {
      name: "need a key or a client",
      as: "tenant-admin",
      method: "POST",
      path: apps,
      headers: inTenant,
      body: { redirectUris },
      expect: { status: 422, pointers: ["#/key"] },
    },
    {
      name: "keep their key",
      as: "tenant-admin",
      method: "POST",
      path: apps,
      headers: inTenant,
      before: async (platform) => ({ ...(await newApp(platform)) }),
      body: { clientId: "{clientId}", key: "another-key" },
      expect: { status: 422, pointers: ["#/key"] },
    },
    {
      name: "are not confirmed with a wrong secret",
      as: "tenant-admin",
      method: "POST",
      path: apps,
      headers: inTenant,
      before: async (platform) => ({ ...(await newApp(platform)) }),
      body: { clientId: "{clientId}", clientSecret: "svcs_wrong" },
      expect: { status: 422, pointers: ["#/clientSecret"] },
    },
    ...(["tenant-viewer", "tenant-staff", "tenant-builder"] as const).map((as) => ({
      name: `are not registered by ${as}`,
      as,
      method: "POST",
      path: apps,
      headers: inTenant,
      body: { key: "refused", redirectUris },
      expect: { status: 403, code: "permission-denied" as const },
    })),
    {
      name: "need a workspace",
      as: "tenant-admin",
      method: "POST",
      path: apps,
      body: { key: "refused", redirectUris },
      expect: { status: 422, pointers: ["#/header/X-Tenant-Id"] },
    },
    {
      name: "of another workspace are not confirmed",
      as: "outsider",
      method: "POST",
      path: "/v4/platform/provisioning/idp-apps",
      headers: inOther,
      before: async (platform) => ({ ...(await newApp(platform)) }),
      body: { clientId: "{clientId}" },
      expect: { status: 404, code: "not-found" },
    },
    {
      name: "of another workspace get no secret",
      as: "outsider",
      method: "POST",
      path: "/v4/platform/provisioning/idp-apps/{clientId}/rotate-secret",
      headers: inOther,
      before: async (platform) => ({ ...(await newApp(platform)) }),
      expect: { status: 404, code: "not-found" },
    },
    {
      name: "of another workspace are not deleted",
      as: "outsider",
      method: "DELETE",
      path: "/v4/platform/provisioning/idp-apps/{clientId}",
      headers: inOther,
      before: async (platform) => ({ ...(await newApp(platform)) }),
      expect: { status: 404, code: "not-found" },
    },
    {
      name: "are listed without secrets",
      as: "tenant-admin",
      method: "GET",
      path: "/v4/platform/provisioning/idp-apps?count=true",
      headers: inTenant,
      before: async (platform) => ({ ...(await newApp(platform)) }),
      expect: { status: 200, excludes: ["svcs_", "hash"] },
    },
  ]);

  test.each([
    "http://portal.example/cb",
    "https://portal.example/cb#part",
    "https://user@portal.example/cb",
    "javascript:alert(1)",
    "custom:/cb",
    "https://pörtal.example/cb",
    "https://portal.example/a b",
    "not an address",
  ])("are not sent back to %s", async (address) => {
    const body = { key: "bad-redirect", redirectUris: [redirectUri, address] };
    const answered = await the().as("tenant-admin").post(apps, body, inside(the()));
    expect(answered).toMatchObject({
      status: 422,
      json: { errors: [{ pointer: "#/redirectUris/1" }] },
    });
  });

  test("of one key are registered once, also by two requests at once", async () => {
    const body = { key: "raced-portal", redirectUris };
    const answers = await Promise.all(
      [1, 2, 3].map(() => the().as("tenant-admin").post(apps, body, inside(the()))),
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(answers.filter((answered) => secretOf(answered) !== "undefined")).toHaveLength(1);
    const ids = answers.map(({ json }) => field(json, "clientId"));
    expect(new Set(ids).size).toBe(1);
  });

  test("are listed in pages, the newest first", async () => {
    const { json: root } = await the()
      .as("system-admin")
      .post("/v4/platform/tenants", { slug: "apps", displayName: "Apps", homeRegion: "eu" });
    const workspace = String(field(root, "id"));
    const made = [];
    for (let at = 0; at < 3; at += 1) made.unshift((await newApp(the(), workspace)).clientId);
    const admin = the().as("system-admin");
    const first = await admin.get(`${apps}?limit=2&count=true`, inside(the(), workspace));
    expect(first.json).toMatchObject({
      total: 3,
      hasNextPage: true,
      items: made.slice(0, 2).map((clientId) => ({ clientId })),
    });
    const cursor = String(field(first.json, "nextCursor"));
    const second = await admin.get(`${apps}?limit=2&cursor=${cursor}`, inside(the(), workspace));
    expect(second.json).toMatchObject({ hasNextPage: false, items: [{ clientId: made[2] }] });
  });
});
