import { expect, test } from "vitest";
import { caller, describePlatform, field, type TestPlatform } from "#test/support/platform.ts";
import { newMember, newRoot, text } from "../world.ts";

const members = (workspace: string): string => `/v4/platform/tenants/${workspace}/members`;
const keysOf = (workspace: string): string => `/v4/platform/tenants/${workspace}/keys`;

/** An admin of two new workspaces, and a function that creates keys as this admin. */
async function newMaker(the: TestPlatform) {
  const [root, second] = [await newRoot(the), await newRoot(the)];
  const maker = await newMember(the, root, { role: "tenant-admin" });
  const invited = await the
    .as("system-admin")
    .post(`${members(second)}/invite`, { email: maker.email, role: "tenant-admin" });
  await maker.call.post("/v4/identity/invitations/accept", { secret: text(invited, "secret") });
  const create = async (name: string, body: object, workspace = root) => {
    const made = await maker.call.post(keysOf(workspace), { name, ...body });
    expect(made.status, made.text).toBe(201);
    const call = caller((request) => the.platform.fetch(request), text(made, "token"));
    return {
      keyId: String(field(field(made.json, "key"), "keyId")),
      name,
      statusIn: async (at: string) => (await call.get(members(at))).status,
    };
  };
  return { root, second, maker, create };
}

const reader = { key: "reader", displayName: "Reader", permissions: ["members.list"] };

describePlatform("the keys of a person", (the) => {
  test("end with the membership of their maker, each where the workspace may end it", async () => {
    const { root, second, maker, create } = await newMaker(the());
    const own = await create("Own", { role: "tenant-staff", workspaces: [second] });
    const foreign = await create("Foreign", { role: "tenant-staff", workspaces: [root] }, second);
    const others = await the()
      .as("system-admin")
      .post(keysOf(root), { name: "Other", role: "tenant-staff" });
    expect(others.status).toBe(201);
    const admin = the().as("system-admin");
    const removed = await admin.delete(`${members(root)}/${maker.memberId}`);
    expect(removed.json).toEqual({
      memberId: maker.memberId,
      oid: maker.oid,
      status: "removed",
      keys: [
        { keyId: own.keyId, name: "Own", status: "revoked" },
        { keyId: foreign.keyId, name: "Foreign", status: "removed" },
      ],
    });
    expect([await own.statusIn(root), await own.statusIn(second)]).toEqual([401, 401]);
    expect([await foreign.statusIn(root), await foreign.statusIn(second)]).toEqual([404, 200]);
    const left = await admin.get(keysOf(root));
    expect(left.json).toMatchObject({
      items: [
        { name: "Other", status: "active" },
        { name: "Own", status: "revoked", makerRemoved: true },
      ],
    });
    const audit = await admin.get(`/v4/platform/tenants/${root}/audit?action=members.remove`);
    expect(audit.json).toMatchObject({
      items: [{ action: "members.remove", changes: { after: { keys: [{}, {}] } } }],
    });
  });

  test("stay where the admin keeps them", async () => {
    const { root, maker, create } = await newMaker(the());
    const key = await create("Own", { role: "tenant-staff" });
    const admin = the().as("system-admin");
    const refused = await admin.delete(`${members(root)}/${maker.memberId}?keys=some`);
    expect(refused.json).toMatchObject({ errors: [{ pointer: "#/query/keys" }] });
    const removed = await admin.delete(`${members(root)}/${maker.memberId}?keys=keep`);
    expect(removed.json).toMatchObject({
      keys: [{ keyId: key.keyId, name: "Own", status: "kept", role: "tenant-staff" }],
    });
    expect(await key.statusIn(root)).toBe(200);
  });

  test("end when their maker leaves, unless they are kept", async () => {
    const { root, second, maker, create } = await newMaker(the());
    const key = await create("Own", { role: "tenant-staff" });
    const kept = await create("Kept", { role: "tenant-staff" }, second);
    const left = await maker.call.post(`${members(root)}/leave`);
    expect(left.json).toMatchObject({
      status: "left",
      keys: [{ keyId: key.keyId, name: "Own", status: "revoked" }],
    });
    expect(await key.statusIn(root)).toBe(401);
    const audit = await the()
      .as("system-admin")
      .get(`/v4/platform/tenants/${root}/audit?action=members.leave`);
    expect(audit.json).toMatchObject({
      items: [{ changes: { after: { keys: [{ keyId: key.keyId, status: "revoked" }] } } }],
    });
    const other = await maker.call.post(`${members(second)}/leave?keys=keep`);
    expect(other.json).toMatchObject({ keys: [{ keyId: kept.keyId, status: "kept" }] });
    expect(await kept.statusIn(second)).toBe(200);
  });

  test("have at most the new role after a demotion, and the answer names them", async () => {
    const { root, second, maker, create } = await newMaker(the());
    const builder = await create("Builder", { role: "tenant-builder", workspaces: [second] });
    const viewer = await create("Viewer", { role: "tenant-viewer" });
    const admin = the().as("system-admin");
    const path = `${members(root)}/${maker.memberId}/roles`;
    const lowered = await admin.patch(path, { role: "tenant-staff" });
    expect(lowered.json).toMatchObject({
      role: "tenant-staff",
      keys: [{ keyId: builder.keyId, name: "Builder", status: "lowered", role: "tenant-staff" }],
    });
    expect((await admin.get(keysOf(root))).json).toMatchObject({
      items: [
        { name: "Viewer", role: "tenant-viewer" },
        { name: "Builder", role: "tenant-staff" },
      ],
    });
    expect((await admin.get(keysOf(second))).json).toMatchObject({
      items: [{ name: "Builder", role: "tenant-builder" }],
    });
    const raised = await admin.patch(path, { role: "tenant-admin" });
    expect(raised.json).not.toHaveProperty("keys");
    expect([await builder.statusIn(root), await viewer.statusIn(root)]).toEqual([200, 200]);
    const invite = { email: maker.email, role: "tenant-viewer", force: true };
    expect((await admin.post(`${members(root)}/invite`, invite)).json).toMatchObject({
      member: { role: "tenant-viewer", keys: [{ name: "Builder", role: "tenant-viewer" }] },
    });
  });

  test("get no permission by a demotion: a key with another role ends", async () => {
    const { root, maker, create } = await newMaker(the());
    const admin = the().as("system-admin");
    const definitions = `/v4/platform/tenants/${root}/role-definitions`;
    const writer = { key: "writer", displayName: "Writer", permissions: ["resources.create"] };
    const roleDefinitionId = text(await admin.post(definitions, writer), "id");
    const readerId = text(await admin.post(definitions, reader), "id");
    const writes = await create("Writes", { roleDefinitionId });
    const staff = await create("Staff", { role: "tenant-staff" });
    const path = `${members(root)}/${maker.memberId}/roles`;
    expect((await admin.patch(path, { roleDefinitionId: readerId })).json).toMatchObject({
      roleName: "reader",
      keys: [
        { keyId: writes.keyId, status: "revoked" },
        { keyId: staff.keyId, status: "lowered", role: "tenant-viewer", roleName: "reader" },
      ],
    });
    expect([await writes.statusIn(root), await staff.statusIn(root)]).toEqual([401, 200]);
  });
});
