import { expect, test } from "vitest";
import { describePlatform, field } from "#test/support/platform.ts";
import { newMember, newRoot, text } from "../world.ts";
import { newKey } from "./new-key.ts";

const members = (workspace: string): string => `/v4/platform/tenants/${workspace}/members`;

describePlatform("keys of service accounts", (the) => {
  test("do what their role may do in their workspace, and nothing else", async () => {
    const root = await newRoot(the());
    const other = await newRoot(the());
    const { id, call } = await newKey(the(), root);
    expect((await call.get("/v4/identity/me")).json).toMatchObject({
      oid: id,
      displayName: "Import",
      serviceAccount: true,
      systemAdmin: false,
    });
    const own = await call.get("/v4/identity/tenants");
    expect(own.json).toMatchObject({ items: [{ id: root, role: "tenant-staff" }] });
    expect((await call.get(members(root))).status).toBe(200);
    expect((await call.get(members(other))).status).toBe(404);
    const invited = await call.post(`${members(root)}/invite`, { email: "x@example.org" });
    expect(invited.json).toMatchObject({ status: 403, currentRole: "tenant-staff" });
    expect((await call.post("/v4/platform/users/x/disable")).status).toBe(403);
    expect((await call.get(members(root))).json).not.toMatchObject({
      items: expect.arrayContaining([expect.objectContaining({ oid: id })]),
    });
  });

  test("make no keys, workspaces or memberships, also with the role of an admin", async () => {
    const root = await newRoot(the());
    const { id, call } = await newKey(the(), root, { role: "tenant-admin" });
    const keys = `/v4/platform/tenants/${root}/keys`;
    const body = { slug: "mine", displayName: "Mine", homeRegion: "eu" };
    const answers = [
      await call.post(keys, { name: "x", role: "tenant-viewer" }),
      await call.patch(`${keys}/${id}/roles`, { role: "tenant-viewer" }),
      await call.delete(`${keys}/${id}`),
      await call.post("/v4/platform/tenants", body),
      await call.post(`${members(root)}/leave`),
      await call.post("/v4/identity/me/provision", {}),
      await call.patch("/v4/identity/me/profile", { displayName: "x" }),
      await call.post("/v4/identity/me/revoke-tokens"),
      await call.post("/v4/identity/invitations/accept", { secret: "x" }),
    ];
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 403));
    expect((await call.get(keys)).status).toBe(200);
    const evaluated = await call.post("/v4/platform/capabilities/evaluate", {
      capability: "keys.create",
      tenantId: root,
    });
    expect(evaluated.json).toMatchObject({ allowed: false });
  });

  test("change their role at once, also with the role that the workspace defines", async () => {
    const root = await newRoot(the());
    const admin = the().as("system-admin");
    const definitions = `/v4/platform/tenants/${root}/role-definitions`;
    const permissions = ["members.list"];
    const role = { key: "reader", displayName: "Reader", permissions };
    const roleDefinitionId = text(await admin.post(definitions, role), "id");
    const { id, call } = await newKey(the(), root, { roleDefinitionId });
    expect((await call.get(members(root))).status).toBe(200);
    expect((await call.get(definitions)).status).toBe(403);
    await admin.patch(`${definitions}/${roleDefinitionId}`, {
      permissions: ["members.roleDefinitions"],
    });
    expect((await call.get(members(root))).status).toBe(403);
    expect((await call.get(definitions)).status).toBe(200);
    expect((await admin.delete(`${definitions}/${roleDefinitionId}`)).status).toBe(409);
    const path = `/v4/platform/tenants/${root}/keys/${id}/roles`;
    expect((await admin.patch(path, { role: "tenant-viewer" })).json).toMatchObject({
      keyId: id,
      role: "tenant-viewer",
    });
    expect((await call.get(members(root))).status).toBe(200);
    expect((await admin.delete(`${definitions}/${roleDefinitionId}`)).status).toBe(200);
  });

  test("end at once, and stay in the list", async () => {
    const root = await newRoot(the());
    const { id, call } = await newKey(the(), root);
    expect((await call.get(members(root))).status).toBe(200);
    const keys = `/v4/platform/tenants/${root}/keys`;
    const admin = the().as("system-admin");
    const revoked = await admin.delete(`${keys}/${id}`);
    expect(revoked.json).toEqual({ keyId: id, status: "revoked" });
    expect((await call.get(members(root))).json).toMatchObject({ code: "token-invalid" });
    expect((await admin.get(`${keys}?count=true`)).json).toMatchObject({
      items: [{ keyId: id, status: "revoked", revokedAt: expect.any(String) }],
      total: 1,
    });
    // A retry after a lost response.
    expect((await admin.delete(`${keys}/${id}`)).status).toBe(200);
    expect((await admin.patch(`${keys}/${id}/roles`, { role: "tenant-admin" })).status).toBe(404);
  });

  test("name a maker who was removed", async () => {
    const root = await newRoot(the());
    const maker = await newMember(the(), root, { role: "tenant-admin" });
    const keys = `/v4/platform/tenants/${root}/keys`;
    const made = await maker.call.post(keys, { name: "Sync", role: "tenant-staff" });
    const keyId = field(field(made.json, "key"), "keyId");
    const listed = async () => (await the().as("system-admin").get(keys)).json;
    expect(field(field(await listed(), "items"), "0")).not.toHaveProperty("makerRemoved");
    await the()
      .as("system-admin")
      .delete(`${members(root)}/${maker.memberId}?keys=keep`);
    const marked = { keyId, status: "active", makerRemoved: true };
    expect(await listed()).toMatchObject({ items: [marked] });
  });

  test("are listed by their maker", async () => {
    const root = await newRoot(the());
    const maker = await newMember(the(), root, { role: "tenant-admin" });
    const keys = `/v4/platform/tenants/${root}/keys`;
    await newKey(the(), root);
    await maker.call.post(keys, { name: "Sync", role: "tenant-staff" });
    const list = await maker.call.get(`${keys}?createdBy=${maker.oid}&count=true`);
    expect(list.json).toMatchObject({ items: [{ name: "Sync" }], total: 1 });
    const faulty = await maker.call.get(`${keys}?createdBy=ada`);
    expect(faulty.json).toMatchObject({ errors: [{ pointer: "#/query/createdBy" }] });
  });

  test("end with their workspace, and come back with it", async () => {
    const root = await newRoot(the());
    const { call } = await newKey(the(), root);
    expect((await call.get("/v4/identity/me")).status).toBe(200);
    const admin = the().as("system-admin");
    await admin.post(`/v4/platform/tenants/${root}/delete`, {});
    expect((await call.get("/v4/identity/me")).status).toBe(401);
    await admin.post(`/v4/platform/tenants/${root}/restore`, {});
    expect((await call.get("/v4/identity/me")).status).toBe(200);
  });

  test("of several workspaces are revoked by their owner, and removed by the others", async () => {
    const root = await newRoot(the());
    const second = await newRoot(the());
    const { id, call } = await newKey(the(), root, { role: "tenant-viewer", workspaces: [second] });
    expect((await call.get(members(second))).status).toBe(200);
    const admin = the().as("system-admin");
    const removed = await admin.delete(`/v4/platform/tenants/${second}/keys/${id}`);
    expect(removed.json).toEqual({ keyId: id, status: "removed" });
    expect((await call.get(members(second))).status).toBe(404);
    expect((await call.get(members(root))).status).toBe(200);
  });
});

describePlatform(
  "keys in a reading thread",
  (the) => {
    test("read and create records, and end at once", async () => {
      const { tenant } = the().workspaces;
      const headers = { "x-tenant-id": tenant };
      const type = { name: "Tree", slug: "tree", properties: { species: { type: "string" } } };
      const types = await the()
        .as("tenant-builder")
        .post("/v4/data/resources/object-types", type, { headers });
      expect(types.status).toBe(201);
      const keys = `/v4/platform/tenants/${tenant}/keys`;
      const admin = the().as("tenant-admin");
      const made = await admin.post(keys, { name: "Import", role: "tenant-staff" });
      const keyId = String(field(field(made.json, "key"), "keyId"));
      const token = text(made, "token");
      const authorized = { headers: { authorization: `Bearer ${token}` } };
      const trees = `/v4/data/resources/${tenant}/tree`;
      const script = the().as("nobody");
      const created = await script.call("POST", trees, {
        ...authorized,
        body: { data: { species: "elm" } },
      });
      expect(created.json).toMatchObject({ created_by: keyId });
      for (let at = 0; at < 3; at += 1) {
        expect((await script.get(trees, authorized)).status).toBe(200);
      }
      await admin.patch(`${keys}/${keyId}/roles`, { role: "tenant-viewer" });
      const refused = await script.call("POST", trees, { ...authorized, body: { data: {} } });
      expect(refused.status).toBe(403);
      expect((await script.get(trees, authorized)).status).toBe(200);
      await admin.delete(`${keys}/${keyId}`);
      expect((await script.get(trees, authorized)).status).toBe(401);
    });
  },
  { alsoInThread: true },
);
