import { expect, test } from "vitest";
import { apiCases } from "#test/support/api-cases.ts";
import { describePlatform } from "#test/support/platform.ts";
import { membersPath, newMember, newRoot, text } from "./world.ts";

const absent = "01900000-0000-7000-8000-00000000dead";
const members = "/v4/platform/tenants/{tenant}/members";
const users = "/v4/platform/tenants/{tenant}/users";

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
