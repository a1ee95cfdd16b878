import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createExternalWorld, type ExternalWorld } from "#test/support/external-provider.ts";
import { field, type Answered, type Caller } from "#test/support/platform.ts";
import { describeEachDatabase, type TestDatabase } from "#test/support/postgres.ts";
import { createPlatformTables } from "#test/support/prepared.ts";

describeEachDatabase("group rules", ({ engine }) => {
  let database: TestDatabase;
  let world: ExternalWorld;
  let count = 0;

  beforeAll(async () => {
    database = await createPlatformTables(engine);
    world = await createExternalWorld(database);
  });
  afterAll(async () => {
    await world.close();
    await database.drop();
  });

  const path = (workspace = world.workspace) => `/v4/platform/tenants/${workspace}/group-rules`;
  const members = (workspace = world.workspace) => `/v4/platform/tenants/${workspace}/members`;
  const unique = (word: string) => `${word}-${(count += 1)}`;

  /** A rule of a new group; returns the group's name. */
  async function grouped(
    role: string,
    change: Readonly<Record<string, unknown>> = {},
  ): Promise<{ readonly group: string; readonly ruleId: string }> {
    const group = unique("group");
    const made = await world.admin.post(path(), { value: group, role, ...change });
    expect(made.status).toBe(200);
    return { group, ruleId: String(field(made.json, "ruleId")) };
  }

  async function workspacesOf(call: Caller): Promise<unknown> {
    const { json } = await call.get("/v4/identity/tenants");
    const items = field(json, "items") as { slug: string; role: string }[];
    return items.map(({ slug, role }) => `${slug} ${role}`);
  }

  async function memberNamed(sub: string): Promise<Answered> {
    const found = await world.admin.get(`${members()}?search=${sub}@`);
    const [first] = field(found.json, "items") as unknown[];
    return { ...found, json: first };
  }

  describe("give a role by a group", () => {
    test("to a new user at the first sign-in, marked as such, and take it away", async () => {
      const { group, ruleId } = await grouped("tenant-staff");
      const sub = unique("ada");
      expect(await workspacesOf(await world.as(sub, { groups: ["x", group] }))).toEqual([
        "grouped tenant-staff",
      ]);
      expect((await memberNamed(sub)).json).toMatchObject({ role: "tenant-staff", ruleId });
      expect(await workspacesOf(await world.as(sub, { groups: ["x"] }, 1))).toEqual([]);
      expect((await memberNamed(sub)).json).toBeUndefined();
    });

    test.each([
      ["a text", (group: string) => ({ groups: group }), {}],
      ["another claim", (group: string) => ({ roles: [group] }), { claim: "roles" }],
      [
        "a claim inside another one",
        (group: string) => ({ realm_access: { roles: [group] } }),
        { claim: "realm_access.roles" },
      ],
      [
        "a claim with an address as its name",
        (group: string) => ({ "https://example.org/groups": [group] }),
        { claim: "https://example.org/groups" },
      ],
    ])("in %s", async (_name, claims, rule) => {
      const { group } = await grouped("tenant-viewer", rule);
      expect(await workspacesOf(await world.as(unique("bo"), claims(group)))).toEqual([
        "grouped tenant-viewer",
      ]);
    });

    test.each([
      ["another value", (group: string) => ({ groups: [`${group}x`, group.toUpperCase()] })],
      ["another claim", (group: string) => ({ roles: [group], scope: group })],
      ["a value inside a text", (group: string) => ({ groups: `x ${group}` })],
      ["a list inside a list", (group: string) => ({ groups: [[group]] })],
      ["an object", (group: string) => ({ groups: { [group]: group } })],
      ["a name of JavaScript", () => ({ groups: ["__proto__", "constructor"] })],
    ])("and not with %s", async (_name, claims) => {
      const { group } = await grouped("tenant-viewer");
      expect(await workspacesOf(await world.as(unique("cy"), claims(group)))).toEqual([]);
    });

    test("the highest of several, and a role of the workspace", async () => {
      const low = await grouped("tenant-viewer");
      const high = await grouped("tenant-builder");
      const sub = unique("di");
      expect(await workspacesOf(await world.as(sub, { groups: [high.group, low.group] }))).toEqual([
        "grouped tenant-builder",
      ]);
      expect(await workspacesOf(await world.as(sub, { groups: [low.group] }, 1))).toEqual([
        "grouped tenant-viewer",
      ]);
      const key = unique("feller");
      const definition = await world.admin.post(
        `/v4/platform/tenants/${world.workspace}/role-definitions`,
        { key, displayName: "Feller", permissions: ["documents.*"] },
      );
      const roleDefinitionId = String(field(definition.json, "id"));
      const { group } = await grouped("", { role: undefined, roleDefinitionId });
      const own = unique("ed");
      await workspacesOf(await world.as(own, { groups: [group] }));
      expect((await memberNamed(own)).json).toMatchObject({ roleName: key });
      const deleted = await world.admin.delete(
        `/v4/platform/tenants/${world.workspace}/role-definitions/${roleDefinitionId}`,
      );
      expect(deleted.status).toBe(409);
    });

    test("in no workspace that is deleted, until it is restored", async () => {
      const { group } = await grouped("tenant-viewer");
      const made = await world.admin.post(path(world.other), {
        value: group,
        role: "tenant-staff",
      });
      expect(made.status).toBe(200);
      const address = `/v4/platform/tenants/${world.other}`;
      expect((await world.admin.post(`${address}/delete`)).status).toBe(200);
      const sub = unique("flo");
      expect(await workspacesOf(await world.as(sub, { groups: [group] }))).toEqual([
        "grouped tenant-viewer",
      ]);
      expect((await world.admin.post(`${address}/restore`)).status).toBe(200);
      expect(await workspacesOf(await world.as(sub, { groups: [group] }, 1))).toEqual([
        "grouped tenant-viewer",
        "ungrouped tenant-staff",
      ]);
    });
  });

  describe("of a token", () => {
    test("that is older than the newest one change nothing", async () => {
      const { group } = await grouped("tenant-staff");
      const sub = unique("gus");
      const old = await world.as(sub, { groups: [group] }, -60);
      expect(await workspacesOf(old)).toEqual(["grouped tenant-staff"]);
      expect(await workspacesOf(await world.as(sub, { groups: [] }))).toEqual([]);
      expect(await workspacesOf(old)).toEqual([]);
      // A verified token is verified again after a minute.
      world.advance(61_000);
      expect(await workspacesOf(old)).toEqual([]);
      expect(await workspacesOf(await world.as(sub, { groups: [group] }, -120))).toEqual([]);
    });

    test("without its groups because they are too many keep the membership", async () => {
      const { group } = await grouped("tenant-staff");
      const sub = unique("hal");
      await workspacesOf(await world.as(sub, { groups: [group] }));
      for (const claims of [{ _claim_names: { groups: "src1" } }, { hasgroups: true }]) {
        expect(await workspacesOf(await world.as(sub, claims, 1))).toEqual([
          "grouped tenant-staff",
        ]);
      }
      expect(await workspacesOf(await world.as(sub, {}, 2))).toEqual([]);
    });

    test("of another user with the same unverified address grant that user only", async () => {
      const { group } = await grouped("tenant-builder");
      const sub = unique("ida");
      await workspacesOf(await world.as(sub, { groups: [group], email_verified: true }));
      const thief = await world.as(unique("thief"), { email: `${sub}@example.org` });
      expect(await workspacesOf(thief)).toEqual([]);
      const boss = await world.as(unique("thief"), { email: "boss@example.org", groups: [group] });
      expect(await workspacesOf(boss)).toEqual(["grouped tenant-builder"]);
      expect((await boss.get("/v4/identity/me")).json).toMatchObject({ systemAdmin: false });
    });
  });

  describe("leave alone", () => {
    /** A user of the provider who has accepted an invitation. */
    async function invited(role: string): Promise<string> {
      const sub = unique("jo");
      const body = { email: `${unique("mail")}@example.org`, role };
      const offer = await world.admin.post(`${members()}/invite`, body);
      const secret = field(offer.json, "secret");
      const accepted = await (
        await world.as(sub)
      ).post("/v4/identity/invitations/accept", { secret });
      expect(accepted.status).toBe(200);
      return sub;
    }

    test("a membership that was accepted, with the group and without it", async () => {
      const { group } = await grouped("tenant-builder");
      const sub = await invited("tenant-viewer");
      for (const groups of [[group], []]) {
        expect(await workspacesOf(await world.as(sub, { groups }, 1))).toEqual([
          "grouped tenant-viewer",
        ]);
      }
      expect((await memberNamed(sub)).json).not.toHaveProperty("ruleId");
    });

    test("a role that an admin has set", async () => {
      const { group } = await grouped("tenant-viewer");
      const sub = unique("kim");
      await workspacesOf(await world.as(sub, { groups: [group] }));
      const memberId = String(field((await memberNamed(sub)).json, "memberId"));
      const set = await world.admin.patch(`${members()}/${memberId}/roles`, {
        role: "tenant-staff",
      });
      expect(set.json).not.toHaveProperty("ruleId");
      for (const groups of [[group], []]) {
        expect(await workspacesOf(await world.as(sub, { groups }, 1))).toEqual([
          "grouped tenant-staff",
        ]);
      }
    });

    test("a user who has left or was removed, until an invitation is accepted", async () => {
      const { group } = await grouped("tenant-viewer");
      const [left, removed] = [unique("lea"), unique("max")];
      const lea = await world.as(left, { groups: [group] });
      expect((await lea.post(`${members()}/leave`)).status).toBe(200);
      await workspacesOf(await world.as(removed, { groups: [group] }));
      const memberId = String(field((await memberNamed(removed)).json, "memberId"));
      expect((await world.admin.delete(`${members()}/${memberId}`)).status).toBe(200);
      for (const sub of [left, removed]) {
        expect(await workspacesOf(await world.as(sub, { groups: [group] }, 1))).toEqual([]);
      }
      const offer = await world.admin.post(`${members()}/invite`, { email: "lea@example.org" });
      const secret = field(offer.json, "secret");
      const back = await world.as(left, { groups: [group] }, 2);
      await back.post("/v4/identity/invitations/accept", { secret });
      expect(await workspacesOf(back)).toEqual(["grouped tenant-viewer"]);
    });

    test("a member that is disabled", async () => {
      const { group } = await grouped("tenant-viewer");
      const high = await grouped("tenant-builder");
      const sub = unique("nia");
      await workspacesOf(await world.as(sub, { groups: [group] }));
      const memberId = String(field((await memberNamed(sub)).json, "memberId"));
      await world.admin.post(`${members()}/${memberId}/disable`);
      const again = await world.as(sub, { groups: [high.group] }, 1);
      expect(await workspacesOf(again)).toEqual([]);
      expect((await memberNamed(sub)).json).toMatchObject({ status: "disabled" });
    });

    test("the last admin", async () => {
      const slug = unique("solo");
      const root = await world.admin.post("/v4/platform/tenants", {
        slug,
        displayName: slug,
        homeRegion: "eu",
        starterTemplate: "empty-template",
      });
      const solo = String(field(root.json, "id"));
      const group = unique("group");
      const rule = await world.admin.post(path(solo), { value: group, role: "tenant-admin" });
      const sub = unique("pia");
      const pia = await world.as(sub, { groups: [group] });
      expect(await workspacesOf(pia)).toEqual([`${slug} tenant-admin`]);
      expect((await world.admin.post(`${members(solo)}/leave`)).status).toBe(200);
      // The next sign-ins: no group, a rule of a lower role, and no rule.
      const later = await world.as(sub, { groups: [] }, 1);
      expect(await workspacesOf(later)).toEqual([`${slug} tenant-admin`]);
      const lower = await later.post(path(solo), { value: group, role: "tenant-viewer" });
      expect(lower.status).toBe(409);
      const ruleId = String(field(rule.json, "ruleId"));
      expect((await later.delete(`${path(solo)}/${ruleId}`)).status).toBe(409);
      expect(await workspacesOf(later)).toEqual([`${slug} tenant-admin`]);
    });
  });

  describe("as an admin's choice", () => {
    test("change the role of their members at once, and end them", async () => {
      const { group, ruleId } = await grouped("tenant-viewer");
      const sub = unique("quin");
      const call = await world.as(sub, { groups: [group] });
      expect(await workspacesOf(call)).toEqual(["grouped tenant-viewer"]);
      const changed = await world.admin.post(path(), { value: group, role: "tenant-builder" });
      expect(changed.json).toMatchObject({ ruleId, created: false, memberCount: 1 });
      expect(await workspacesOf(call)).toEqual(["grouped tenant-builder"]);
      const deleted = await world.admin.delete(`${path()}/${ruleId}`);
      expect(deleted.json).toEqual({ ruleId, status: "deleted", removedMembers: 1 });
      expect(await workspacesOf(call)).toEqual([]);
      expect((await world.admin.delete(`${path()}/${ruleId}`)).status).toBe(404);
    });

    test("are listed with their members, page by page", async () => {
      const { group, ruleId } = await grouped("tenant-viewer");
      const { issuer } = world.provider;
      const first = await world.admin.get(`${path()}?limit=1&count=true`);
      expect(first.json).toMatchObject({
        items: [{ ruleId, issuer, claim: "groups", value: group, applies: true, memberCount: 0 }],
        hasNextPage: true,
      });
      const cursor = encodeURIComponent(String(field(first.json, "nextCursor")));
      const second = await world.admin.get(`${path()}?limit=1&cursor=${cursor}`);
      expect(second.json).not.toMatchObject({ items: [{ ruleId }] });
      expect(field(second.json, "items")).toHaveLength(1);
    });

    test.each([
      ["no value", { role: "tenant-viewer" }, "#/value"],
      ["no role", { value: "g" }, "#/role"],
      ["two roles", { value: "g", role: "tenant-viewer", roleDefinitionId: "x" }, "#/role"],
      ["a role of the platform", { value: "g", role: "system-admin" }, "#/role"],
      [
        "an issuer that is no address",
        { value: "g", role: "tenant-viewer", issuer: "x" },
        "#/issuer",
      ],
      ["the subject", { value: "g", role: "tenant-viewer", claim: "sub" }, "#/claim"],
      ["the audience", { value: "g", role: "tenant-viewer", claim: "aud" }, "#/claim"],
      [
        "a chosen name",
        { value: "g", role: "tenant-viewer", claim: "preferred_username" },
        "#/claim",
      ],
      ["an address", { value: "g", role: "tenant-viewer", claim: "email" }, "#/claim"],
      [
        "a part of an address",
        { value: "g", role: "tenant-viewer", claim: "address.country" },
        "#/claim",
      ],
      ["an unknown role", { value: "g", roleDefinitionId: "x" }, "#/roleDefinitionId"],
    ])("are refused with %s", async (_name, body, pointer) => {
      const refused = await world.admin.post(path(), body);
      expect(refused.status).toBe(422);
      expect(JSON.stringify(field(refused.json, "errors"))).toContain(`"${pointer}"`);
    });

    test("belong to admins of the workspace only", async () => {
      const { group, ruleId } = await grouped("tenant-builder");
      const builder = await world.as(unique("ria"), { groups: [group] });
      const stranger = await world.as(unique("sam"));
      const body = { value: group, role: "tenant-admin" };
      for (const [call, status] of [
        [builder, 403],
        [stranger, 404],
      ] as const) {
        expect((await call.get(path())).status).toBe(status);
        expect((await call.post(path(), body)).status).toBe(status);
        expect((await call.delete(`${path()}/${ruleId}`)).status).toBe(status);
      }
      expect((await world.admin.delete(`${path(world.other)}/${ruleId}`)).status).toBe(404);
    });

    test("of another provider are kept, and apply to no token", async () => {
      const { group } = await grouped("tenant-viewer", { issuer: "https://login.example.org" });
      expect(await workspacesOf(await world.as(unique("tom"), { groups: [group] }))).toEqual([]);
      const { json } = await world.admin.get(`${path()}?limit=1`);
      expect(json).toMatchObject({ items: [{ value: group, applies: false }] });
    });
  });

  test("leave entries of rules and of sign-ins in the workspace's log", async () => {
    const { group, ruleId } = await grouped("tenant-viewer");
    const sub = unique("una");
    await workspacesOf(await world.as(sub, { groups: [group] }));
    await workspacesOf(await world.as(sub, { groups: [] }, 1));
    const log = `/v4/platform/tenants/${world.workspace}/audit`;
    const entries = async (action: string): Promise<unknown> => {
      const { json } = await world.admin.get(`${log}?action=${action}&outcome=done&limit=1`);
      return field(json, "items");
    };
    expect(await entries("groupRules.ended")).toMatchObject([
      {
        actorName: `${sub}@example.org`,
        changes: { before: { role: "tenant-viewer" }, after: {} },
      },
    ]);
    expect(await entries("groupRules.granted")).toMatchObject([
      { changes: { target: { ruleId }, before: {}, after: { role: "tenant-viewer" } } },
    ]);
    expect(await entries("groupRules.set")).toMatchObject([
      { changes: { target: { ruleId, value: group } } },
    ]);
  });

  test("of a group at thirty sign-ins at once make one member", async () => {
    const { group, ruleId } = await grouped("tenant-viewer");
    const sub = unique("vic");
    const calls = await Promise.all(
      Array.from({ length: 30 }, () => world.as(sub, { groups: [group] })),
    );
    const seen = await Promise.all(calls.map((call) => workspacesOf(call)));
    expect(new Set(seen.map((each) => JSON.stringify(each)))).toEqual(
      new Set([JSON.stringify(["grouped tenant-viewer"])]),
    );
    const { json } = await world.admin.get(path());
    const items = field(json, "items") as { ruleId: string }[];
    expect(items.find((rule) => rule.ruleId === ruleId)).toMatchObject({ memberCount: 1 });
  });
});
