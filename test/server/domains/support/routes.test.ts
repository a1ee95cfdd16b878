import { expect, test } from "vitest";
import { caller, describePlatform, field, testBaseUrl } from "#test/support/platform.ts";
import type { Answered, TestPlatform, TestUser } from "#test/support/platform.ts";
import { ownChild } from "../workspaces/own-child.ts";

const bundle = JSON.stringify({ version: 1, description: "It stops" });
const digestOf = (text: string): string => Bun.CryptoHasher.hash("sha256", text, "hex");
const draft = { bundle, bundleDigest: digestOf(bundle), organisationLocation: "emea" };

const create = (the: TestPlatform, body: unknown, user: TestUser | "nobody" = "tenant-viewer") =>
  the.as(user).post("/support/drafts", body);

const open = (the: TestPlatform, id: unknown, token: unknown): Promise<Answered> =>
  the.as("nobody").post(`/support/drafts/${String(id)}/open`, { token });

const created = async (the: TestPlatform, user?: TestUser) => {
  const { json } = await create(the, draft, user);
  return json as { draftId: string; token: string; expiresAt: string };
};

describePlatform("support drafts", (the) => {
  test("a draft opens once, with its token", async () => {
    const answer = await create(the(), draft);
    expect(answer.status).toBe(201);
    expect(answer.headers.get("cache-control")).toBe("no-store");
    const { draftId, token, expiresAt } = await created(the());
    expect(Date.parse(expiresAt) - the().now().getTime()).toBeGreaterThan(29 * 60_000);
    expect((await open(the(), draftId, "x".repeat(43))).status).toBe(404);
    const other = await created(the());
    expect((await open(the(), draftId, other.token)).status).toBe(404);
    const opened = await Promise.all([1, 2, 3].map(() => open(the(), draftId, token)));
    expect(opened.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([
      200, 404, 404,
    ]);
    expect(opened.find(({ status }) => status === 200)?.json).toEqual({
      report: { version: 1, description: "It stops" },
    });
  });

  test("a workspace or a location is needed", async () => {
    const { organisationLocation: _left, ...bare } = draft;
    const without = await create(the(), bare);
    expect(without).toMatchObject({ status: 400, json: { error: "region_required" } });
    const { tenant, other } = the().workspaces;
    expect((await create(the(), { ...bare, workspaceId: tenant })).status).toBe(201);
    expect((await create(the(), { ...bare, workspaceId: other })).status).toBe(404);
  });

  test("a draft goes with the purge of its workspace", async () => {
    const workspaceId = await ownChild(the());
    const kept = await created(the());
    const made = await create(the(), { ...draft, workspaceId }, "tenant-admin");
    expect(made.status).toBe(201);
    const path = `/v4/platform/tenants/${workspaceId}/delete`;
    const purged = await the().as("system-admin").post(path, { hardPurge: true });
    expect(purged.json).toMatchObject({ removed: { supportDrafts: 1 } });
    const opened = await open(the(), field(made.json, "draftId"), field(made.json, "token"));
    expect(opened.status).toBe(404);
    expect((await open(the(), kept.draftId, kept.token)).status).toBe(200);
  });

  test("the token of an app makes drafts in the app's workspaces only", async () => {
    const { platform, users, workspaces } = the();
    const { tenant, child } = workspaces;
    const user = await platform.services.access.user(users["tenant-admin"].oid);
    if (user === undefined) throw new TypeError("the user is missing");
    const send = async (appWorkspaceId: string, body: object) => {
      const { token } = await platform.services.tokens.issueAccessToken({
        issuer: `${testBaseUrl}/auth`,
        user,
        lifetimeMs: 60_000,
        scope: "openid",
        clientId: "portal",
        appWorkspaceId,
      });
      return caller(the().answer, token).post("/support/drafts", body);
    };
    const own = await ownChild(the());
    const { organisationLocation: _left, ...bare } = draft;
    const outside = await send(own, { ...bare, workspaceId: tenant });
    expect(outside).toMatchObject({ status: 404, json: { code: "not-found" } });
    expect((await send(own, draft)).json).toMatchObject({ code: "permission-denied" });
    expect((await send(own, { ...bare, workspaceId: own })).status).toBe(201);
    expect((await send(tenant, { ...bare, workspaceId: own })).status).toBe(201);
    expect((await send(child, { ...bare, workspaceId: own })).status).toBe(404);
  });

  test.each([
    ["no token", "nobody", draft, 401],
    ["another digest", "tenant-viewer", { ...draft, bundleDigest: "0".repeat(64) }, 422],
    ["no digest", "tenant-viewer", { bundle }, 422],
    ["no JSON", "tenant-viewer", { ...draft, bundle: "[]", bundleDigest: digestOf("[]") }, 422],
    ["an unknown location", "tenant-viewer", { ...draft, organisationLocation: "mars" }, 422],
    ["a list", "tenant-viewer", [], 422],
  ] as const)("refuses %s", async (_name, user, body, status) => {
    expect((await create(the(), body, user)).status).toBe(status);
  });

  test("refuses a report above its limit", async () => {
    const large = JSON.stringify({ text: "x".repeat(128 * 1024) });
    const body = { ...draft, bundle: large, bundleDigest: digestOf(large) };
    expect((await create(the(), body)).status).toBe(422);
    const huge = JSON.stringify({ text: "x".repeat(512 * 1024) });
    expect((await create(the(), { ...body, bundle: huge })).status).toBe(413);
  });

  test("other methods and paths", async () => {
    const caller = the().as("tenant-viewer");
    expect((await caller.get("/support/drafts")).status).toBe(405);
    expect((await caller.post("/support", {})).status).toBe(405);
    expect((await caller.get("/support/other")).status).toBe(404);
    expect((await caller.get("/supported")).status).toBe(404);
  });

  test("the page runs its own script only, and has no draft", async () => {
    const page = await the().as("nobody").get("/support");
    expect(page.status).toBe(200);
    expect(page.headers.get("content-security-policy")).toMatch(
      /^default-src 'none'; style-src 'sha256-[^']+'; script-src 'sha256-[^']+'; connect-src 'self'/,
    );
    const script = /<script>([^]*)<\/script>/.exec(page.text)?.[1] ?? "";
    const digest = Bun.CryptoHasher.hash("sha256", script, "base64");
    expect(page.headers.get("content-security-policy")).toContain(`'sha256-${digest}'`);
    const chat = await the().as("nobody").get("/support?chat=open");
    expect(chat.text).toContain("This platform has no chat");
  });

  test("a user has at most 20 open drafts, which expire after 30 minutes", async () => {
    for (let count = 0; count < 20; count += 1) {
      expect((await create(the(), draft, "outsider")).status).toBe(201);
    }
    const refused = await create(the(), draft, "outsider");
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "60"]);
    const { draftId, token } = await created(the(), "tenant-staff");
    the().advance(31 * 60_000);
    expect((await open(the(), draftId, token)).status).toBe(404);
    expect((await create(the(), draft, "outsider")).status).toBe(201);
  });
});
