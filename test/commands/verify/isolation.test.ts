import { expect, test } from "vitest";
import { writeSignIn } from "#auth/token-file.ts";
import { selectWorkspace } from "#local/configuration/profiles.ts";
import { field, testBaseUrl, type TestUser } from "#test/support/platform.ts";
import { commandWorld } from "../world.ts";

const the = commandWorld();

/** A configuration with a profile of each user, and the workspace that it has selected. */
async function profilesOf(
  users: Readonly<Record<string, readonly [TestUser, "tenant" | "other"]>>,
) {
  const { platform } = the();
  const configDirectory = await the().emptyConfig();
  for (const [profile, [user, slug]] of Object.entries(users)) {
    const origin = testBaseUrl;
    await writeSignIn(
      configDirectory,
      { profile, origin },
      {
        accessToken: platform.users[user].token,
        expiresAt: new Date(Date.now() + 3_600_000).toISOString(),
        issuer: `${testBaseUrl}/auth`,
        tokenEndpoint: `${testBaseUrl}/auth/oauth2/v2.0/token`,
        clientId: "svc",
      },
    );
    const id = platform.workspaces[slug];
    const workspace = { id, slug, displayName: slug, origin };
    await selectWorkspace({ configDirectory, profile, workspace });
  }
  return configDirectory;
}

const words = "verify isolation --other-profile tester";

test("verify isolation tries each route with another workspace's ids, and removes its own", async () => {
  const { platform } = the();
  const { tenant, other } = platform.workspaces;
  for (const [user, id] of [
    ["tenant-admin", tenant],
    ["outsider", other],
  ] as const) {
    const type = { name: "Note", slug: "note", properties: { text: { type: "string" } } };
    const headers = { "x-tenant-id": id };
    await platform.as(user).post("/v4/data/resources/object-types", type, { headers });
  }
  const config = await profilesOf({
    default: ["outsider", "other"],
    tester: ["tenant-admin", "tenant"],
  });
  const called = await the().json(words, { as: "anonymous", config });
  expect(called).toMatchObject({ exitCode: 0, json: { ok: true, leaks: [], left: [] } });
  expect(field(called.json, "tried")).toBeGreaterThan(90);
  const notTried = field(called.json, "notTried") as { route: string; place: string | null }[];
  expect(notTried).toContainEqual(
    expect.objectContaining({ route: "workspaceRemoval.delete", place: "path:tenantId" }),
  );
  for (const [user, id] of [
    ["tenant-admin", tenant],
    ["outsider", other],
  ] as const) {
    const list = await platform.as(user).get(`/v4/data/resources/${id}/note`);
    expect(field(list.json, "items")).toEqual([]);
  }
});

test("verify isolation finds a platform that shows a foreign record", async () => {
  const { platform } = the();
  const { tenant } = platform.workspaces;
  const config = await profilesOf({
    default: ["outsider", "other"],
    tester: ["tenant-admin", "tenant"],
  });
  const leaking = async (request: Request): Promise<Response> => {
    const isForeign = request.url.includes(`/tenants/${tenant}/role-definitions`);
    if (request.method !== "GET" || !isForeign) return platform.platform.fetch(request);
    const authorization = `Bearer ${platform.users["tenant-admin"].token}`;
    return platform.platform.fetch(new Request(request.url, { headers: { authorization } }));
  };
  const called = await the().json(words, { as: "anonymous", config, fetch: leaking });
  expect(called).toMatchObject({
    exitCode: 1,
    json: {
      ok: false,
      leaks: [
        {
          route: "members.roleDefinitions",
          place: "path:tenantId",
          reason: "the status differs",
          status: { foreign: 200, absent: 404 },
        },
      ],
    },
  });
});

test("verify isolation refuses one user, and a member of both workspaces", async () => {
  const same = await profilesOf({
    default: ["outsider", "other"],
    tester: ["outsider", "other"],
  });
  const one = await the().json(words, { as: "anonymous", config: same });
  expect(one).toMatchObject({ exitCode: 1, json: { error: { code: "E305" } } });
  const both = await profilesOf({
    default: ["system-admin", "other"],
    tester: ["outsider", "other"],
  });
  const member = await the().json(words, { as: "anonymous", config: both });
  expect(member.exitCode).toBe(1);
  expect(member.stdout).toContain("is a member of the other workspace");
});
