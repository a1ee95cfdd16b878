import { expect, test } from "vitest";
import { apiCases } from "#test/support/api-cases.ts";
import { describePlatform, field, type TestPlatform } from "#test/support/platform.ts";
import { invite, membersPath, newMember, newRoot, text } from "./world.ts";

const absent = "01900000-0000-7000-8000-00000000dead";
const members = "/v4/platform/tenants/{tenant}/members";
const users = "/v4/platform/tenants/{tenant}/users";

const accountActs = ["disable", "enable", "revoke-tokens"] as const;

/** The caller's own member id in a workspace. */
async function ownId(the: TestPlatform, workspace: string): Promise<string> {
  const path = `/v4/platform/tenants/${workspace}/users/by-email?email=admin@localhost`;
  return text(await the.as("system-admin").get(path), "memberId");
}

describePlatform("a member", (the) => {
  apiCases(the, [
    {
      name: "is found by address in any case",
      as: "tenant-viewer",
      method: "GET",
      path: `${users}/by-email?email=TENANT-STAFF@example.org`,
      expect: { status: 200, body: { oid: "{tenant-staff}", role: "tenant-staff" } },
    },
    {
      name: "of another workspace only is not found by address",
      method: "GET",
      path: `${users}/by-email?email=outsider@example.org`,
      expect: { status: 404, code: "not-found" },
    },
    {
      name: "is not found without an address",
      method: "GET",
      path: `${users}/by-email`,
      expect: { status: 422, pointers: ["#/query/email"] },
    },
    {
      name: "gets no unknown role",
      method: "PATCH",
      path: `${members}/${absent}/roles`,
      body: { role: "king" },
      expect: { status: 422, pointers: ["#/role"] },
    },
    {
      name: "gets one role",
      method: "PATCH",
      path: `${members}/${absent}/roles`,
      body: {},
      expect: { status: 422 },
    },
    {
      name: "with an invalid id is pointed to",
      method: "PATCH",
      path: `${members}/me/roles`,
      body: { role: "tenant-staff" },
      expect: { status: 422, pointers: ["#/path/memberId"] },
    },
    ...(["disable", "enable"] as const).map((act) => ({
      name: `that does not exist: ${act}`,
      method: "POST",
      path: `${members}/${absent}/${act}`,
      expect: { status: 404, code: "not-found" as const },
    })),
    {
      name: "that does not exist: remove",
      method: "DELETE",
      path: `${members}/${absent}`,
      expect: { status: 404, code: "not-found" },
    },
    {
      name: "is confirmed by provisioning",
      method: "POST",
      path: `${users}/{tenant-staff}/provision`,
      expect: { status: 200, body: { member: { role: "tenant-staff", status: "active" } } },
    },
    {
      name: "that is unknown to the workspace cannot be provisioned",
      method: "POST",
      path: `${users}/{outsider}/provision`,
      body: { role: "tenant-staff" },
      expect: { status: 404, code: "not-found" },
    },
  ]);

  test("of another workspace is not found by its id", async () => {
    const root = await newRoot(the());
    const person = await newMember(the(), root);
    const other = membersPath(the().workspaces.other);
    const outsider = the().as("outsider");
    const role = { role: "tenant-staff" };
    const answers = [
      await outsider.patch(`${other}/${person.memberId}/roles`, role),
      await outsider.delete(`${other}/${person.memberId}`),
      await outsider.post(`${other}/${person.memberId}/disable`),
      await outsider.post(`${other}/${person.memberId}/enable`),
    ];
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404]);
    expect((await person.call.get(membersPath(root))).status).toBe(200);
  });

  test("gets another role, which counts in the next request", async () => {
    const root = await newRoot(the());
    const person = await newMember(the(), root);
    const admin = the().as("system-admin");
    const list = `/v4/platform/tenants/${root}/invitations`;
    expect((await person.call.get(list)).status).toBe(403);
    const path = `${membersPath(root)}/${person.memberId}/roles`;
    const raised = await admin.patch(path, { role: "tenant-admin" });
    expect(raised.json).toMatchObject({ memberId: person.memberId, role: "tenant-admin" });
    expect((await person.call.get(list)).status).toBe(200);
    await admin.patch(path, { roleDefinitionId: "tenant-staff" });
    expect((await person.call.get(list)).status).toBe(403);
  });

  test("that is removed has no access with its live token", async () => {
    const root = await newRoot(the());
    const person = await newMember(the(), root, { role: "tenant-staff" });
    expect((await person.call.get(membersPath(root))).status).toBe(200);
    const removed = await the()
      .as("system-admin")
      .delete(`${membersPath(root)}/${person.memberId}`);
    expect(removed.json).toMatchObject({ oid: person.oid, status: "removed" });
    expect((await person.call.get(membersPath(root))).status).toBe(404);
    expect((await person.call.get("/v4/identity/tenants")).json).toMatchObject({ items: [] });
    expect((await the().as("system-admin").get(membersPath(root))).text).not.toContain(
      person.email,
    );
  });

  test("may leave, with any role", async () => {
    const root = await newRoot(the());
    const person = await newMember(the(), root);
    const left = await person.call.post(`/v4/platform/tenants/${root}/members/leave`);
    expect(left.json).toMatchObject({ memberId: person.memberId, status: "left" });
    expect((await person.call.post(`${membersPath(root)}/leave`)).status).toBe(404);
  });

  test("that is disabled stays listed without access, until it is enabled", async () => {
    const root = await newRoot(the());
    const person = await newMember(the(), root);
    const admin = the().as("system-admin");
    const { memberId } = person;
    const disable = `/v4/platform/tenants/${root}/members/${memberId}/disable`;
    const enable = `/v4/platform/tenants/${root}/members/${memberId}/enable`;
    expect((await admin.post(disable)).json).toMatchObject({ status: "disabled" });
    expect((await person.call.get(membersPath(root))).status).toBe(404);
    expect((await person.call.get("/v4/identity/tenants")).text).not.toContain(root);
    const filter = encodeURIComponent('{"status":"disabled"}');
    expect((await admin.get(`${membersPath(root)}?where=${filter}`)).json).toMatchObject({
      items: [{ oid: person.oid, status: "disabled" }],
    });
    expect((await admin.post(enable)).json).toMatchObject({ status: "active" });
    expect((await person.call.get(membersPath(root))).status).toBe(200);
  });

  test("of a child is invited to the parent, and becomes no member without consent", async () => {
    const root = await newRoot(the());
    const admin = the().as("system-admin");
    const children = `/v4/platform/tenants/${root}/children`;
    const child = text(await admin.post(children, { slug: "below", displayName: "Below" }), "id");
    await admin.post(`${children}/${child}/bootstrap-admin`);
    const person = await newMember(the(), child);
    const path = `/v4/platform/tenants/${root}/users/${person.oid}/provision`;
    const provisioned = await admin.post(path, { role: "tenant-staff" });
    expect(provisioned.json).toMatchObject({ member: { status: "invited" } });
    expect((await person.call.get(membersPath(root))).status).toBe(404);
    const secret = text(provisioned, "secret");
    await person.call.post("/v4/identity/invitations/accept", { secret });
    expect((await person.call.get(membersPath(root))).status).toBe(200);
  });

  test("is listed with the names of a changed profile", async () => {
    const root = await newRoot(the());
    const person = await newMember(the(), root);
    await person.call.patch("/v4/identity/me/profile", { displayName: "Zoë Ångström" });
    const search = encodeURIComponent("ÅNGSTRÖM");
    const found = await the()
      .as("system-admin")
      .get(`${membersPath(root)}?search=${search}`);
    expect(found.json).toMatchObject({ items: [{ displayName: "Zoë Ångström" }] });
  });

  test("confirms the own membership", async () => {
    const viewer = the().as("tenant-viewer");
    const path = "/v4/identity/me/provision";
    const { tenant, other } = the().workspaces;
    expect((await viewer.post(path, { tenantId: tenant })).json).toMatchObject({
      oid: the().users["tenant-viewer"].oid,
      membership: { id: tenant, role: "tenant-viewer" },
    });
    expect((await viewer.post(path, { tenantId: other })).status).toBe(404);
    expect((await viewer.post(path)).status).toBe(200);
  });
});

describePlatform("the last admin", (the) => {
  test("can not lose the role, be removed, be disabled or leave", async () => {
    const root = await newRoot(the());
    await newMember(the(), root, { role: "tenant-builder" });
    const admin = the().as("system-admin");
    const own = `${membersPath(root)}/${await ownId(the(), root)}`;
    const answers = [
      await admin.patch(`${own}/roles`, { role: "tenant-builder" }),
      await admin.post(`${membersPath(root)}/invite`, { email: "admin@localhost" }),
      await admin.delete(own),
      await admin.post(`${own}/disable`),
      await admin.post(`${membersPath(root)}/leave`),
    ];
    for (const { json } of answers) expect(json).toMatchObject({ status: 409, code: "conflict" });
  });

  test("stays when two admins act at once", async () => {
    const rounds = 8;
    for (let round = 0; round < rounds; round += 1) {
      const root = await newRoot(the());
      const other = await newMember(the(), root, { role: "tenant-admin" });
      const own = await ownId(the(), root);
      const path = membersPath(root);
      const admin = the().as("system-admin");
      const acts = [
        [() => admin.post(`${path}/leave`), () => other.call.post(`${path}/leave`)],
        [
          () => admin.delete(`${path}/${other.memberId}`),
          () => other.call.delete(`${path}/${own}`),
        ],
        [
          () => admin.patch(`${path}/${other.memberId}/roles`, { role: "tenant-viewer" }),
          () => other.call.patch(`${path}/${own}/roles`, { role: "tenant-viewer" }),
        ],
        [
          () => admin.post(`${path}/${other.memberId}/disable`),
          () => other.call.post(`${path}/${own}/disable`),
        ],
      ][round % 4];
      const answers = await Promise.all((acts ?? []).map((act) => act()));
      const done = answers.filter(({ status }) => status === 200);
      expect(done, JSON.stringify(answers.map(({ text: body }) => body))).toHaveLength(1);
      const left = await Promise.all([admin.get(path), other.call.get(path)]);
      const [list] = left.filter(({ status }) => status === 200);
      const items = field(list?.json, "items") as { role: string; status: string }[];
      const admins = items.filter(
        ({ role, status }) => role === "tenant-admin" && status === "active",
      );
      expect(admins).toHaveLength(1);
    }
  });

  test("of many who leave at once stays", async () => {
    const root = await newRoot(the());
    const people = [];
    for (let count = 0; count < 6; count += 1) {
      people.push(await newMember(the(), root, { role: "tenant-admin" }));
    }
    const callers = [the().as("system-admin"), ...people.map(({ call }) => call)];
    const answers = await Promise.all(
      callers.map((each) => each.post(`${membersPath(root)}/leave`)),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(callers.length - 1);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(1);
  });
});

describePlatform(
  "an account",
  (the) => {
    const own = "/v4/identity/me";
    const path = (oid: string, act: string): string => `/v4/platform/users/${oid}/${act}`;

    apiCases(
      the,
      accountActs.flatMap((act) => [
        {
          name: `that does not exist: ${act}`,
          as: "system-admin" as const,
          method: "POST",
          path: path(absent, act),
          expect: { status: 404, code: "not-found" as const },
        },
        {
          name: `${act} takes an id`,
          as: "system-admin" as const,
          method: "POST",
          path: path("me", act),
          expect: { status: 422, pointers: ["#/path/oid"] },
        },
        {
          name: `${act} needs the installation's administrator`,
          as: "tenant-admin" as const,
          method: "POST",
          path: path("{tenant-viewer}", act),
          expect: {
            status: 403,
            code: "permission-denied" as const,
            body: { requiredRole: "system-admin" },
          },
        },
      ]),
    );

    test("that is disabled has no valid token at once, and new ones once it is enabled", async () => {
      const root = await newRoot(the());
      const person = await newMember(the(), root, { role: "tenant-admin" });
      const system = the().as("system-admin");
      expect((await person.call.get(own)).status).toBe(200);
      expect((await system.post(`/v4/platform/users/${person.oid}/disable`)).json).toMatchObject({
        status: "disabled",
      });
      expect((await person.call.get(own)).json).toMatchObject({ status: 401 });
      expect((await person.call.get(membersPath(root))).status).toBe(401);
      expect((await system.get(membersPath(root))).json).toMatchObject({
        items: expect.arrayContaining([
          expect.objectContaining({ oid: person.oid, accountDisabled: true }),
        ]),
      });
      // A disabled account is no admin, so the other one is the last.
      expect((await system.post(`${membersPath(root)}/leave`)).status).toBe(409);
      const mint = { email: person.email, ttlMs: 60_000 };
      await expect(the().platform.mintToken(mint)).rejects.toThrow("is disabled");
      await system.post(`/v4/platform/users/${person.oid}/enable`);
      expect((await person.call.get(own)).status).toBe(401);
      const { token } = await the().platform.mintToken(mint);
      const headers = { authorization: `Bearer ${token}` };
      expect((await the().as("nobody").get(own, { headers })).status).toBe(200);
    });

    test("loses minted tokens, and can have new ones", async () => {
      const root = await newRoot(the());
      const person = await newMember(the(), root);
      expect((await person.call.get(own)).status).toBe(200);
      await the().as("system-admin").post(`/v4/platform/users/${person.oid}/revoke-tokens`);
      expect((await person.call.get(own)).status).toBe(401);
      const { token } = await the().platform.mintToken({ email: person.email, ttlMs: 60_000 });
      const headers = { authorization: `Bearer ${token}` };
      expect((await the().as("nobody").get(own, { headers })).status).toBe(200);
    });

    test("ends the own tokens", async () => {
      const root = await newRoot(the());
      const person = await newMember(the(), root);
      const ended = await person.call.post("/v4/identity/me/revoke-tokens");
      expect(ended.json).toMatchObject({ oid: person.oid });
      expect((await person.call.get(own)).status).toBe(401);
    });

    test("of the last system administrator stays enabled", async () => {
      const system = the().as("system-admin");
      const refused = await system.post(path(the().users["system-admin"].oid, "disable"));
      expect(refused.json).toMatchObject({ status: 409, code: "conflict" });
      expect((await system.get(own)).status).toBe(200);
    });
  },
  { alsoInThread: true },
);

describePlatform("many members", (the) => {
  test("keep their places while others join and leave", async () => {
    const root = await newRoot(the());
    const admin = the().as("system-admin");
    const people = [];
    for (let count = 0; count < 7; count += 1) people.push(await newMember(the(), root));
    for (const sort of ["email", "-email", "role,-email", "-created_at", "lastName,displayName"]) {
      const seen: string[] = [];
      let query = `limit=3&sort=${sort}`;
      for (let page = 0; page < 20; page += 1) {
        const { json } = await admin.get(`${membersPath(root)}?${query}`);
        const items = field(json, "items") as { email: string }[];
        seen.push(...items.map(({ email }) => email));
        const cursor = field(json, "nextCursor");
        if (typeof cursor !== "string") break;
        // One who joins at the front must not push a member to the next page.
        if (page === 0) await newMember(the(), root);
        query = `limit=3&sort=${sort}&cursor=${encodeURIComponent(cursor)}`;
      }
      expect(new Set(seen).size).toBe(seen.length);
      for (const { email } of people) expect(seen).toContain(email);
    }
  });

  test("have one pending invitation for each address", async () => {
    const root = await newRoot(the());
    await Promise.all(
      Array.from({ length: 5 }, () => invite(the(), root, { email: "same@example.org" })),
    );
    const list = await the().as("system-admin").get(`/v4/platform/tenants/${root}/invitations`);
    expect(field(list.json, "items")).toHaveLength(1);
  });
});
