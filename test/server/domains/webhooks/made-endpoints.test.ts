import { expect, test } from "vitest";
import { describePlatform, field, type TestPlatform } from "#test/support/platform.ts";
import { membersPath, newMember, newRoot, text } from "../members/world.ts";

/** An endpoint and a source of a new workspace's second admin, read by the first one. */
async function newMaker(the: TestPlatform) {
  const workspace = await newRoot(the);
  const headers = { "x-tenant-id": workspace };
  const maker = await newMember(the, workspace, { role: "tenant-admin" });
  const settings = { temporary: true, role: "tenant-admin" };
  const endpoint = await maker.call.post("/v4/webhooks/endpoints", settings, { headers });
  const named = { name: "Sender", role: "tenant-admin" };
  const source = await maker.call.post("/v4/webhooks/sources", named, { headers });
  const endpointId = text(endpoint, "id");
  const admin = the.as("system-admin");
  const paths = [
    `/v4/webhooks/endpoints/${endpointId}`,
    `/v4/webhooks/sources/${text(source, "source")}`,
  ];
  return {
    admin,
    maker,
    endpointId,
    path: `${membersPath(workspace)}/${maker.memberId}`,
    sourcePath: `/v4/webhooks/sources/${text(source, "source")}`,
    headers,
    leavePath: `${membersPath(workspace)}/leave`,
    /** The endpoint and the source. */
    read: async () =>
      Promise.all(paths.map(async (path) => (await admin.get(path, { headers })).json)),
  };
}

describePlatform("the endpoints and sources of a member", (the) => {
  test("are disabled with the removal of their maker", async () => {
    const { admin, path, endpointId, read } = await newMaker(the());
    expect(await read()).toMatchObject([{ status: "active" }, { status: "active" }]);
    const removed = await admin.delete(path);
    expect(removed.json).toMatchObject({ webhooks: [{ endpointId, status: "disabled" }] });
    expect(await read()).toMatchObject([
      { status: "disabled", disabledReason: "maker-removed" },
      { status: "disabled" },
    ]);
  });

  test("stay where the admin keeps them", async () => {
    const { admin, path, endpointId, read } = await newMaker(the());
    const removed = await admin.delete(`${path}?keys=keep`);
    expect(removed.json).toMatchObject({ webhooks: [{ endpointId, status: "kept" }] });
    expect(await read()).toMatchObject([
      { status: "active", role: "tenant-admin" },
      { status: "active", role: "tenant-admin" },
    ]);
  });

  test("are disabled when their maker leaves", async () => {
    const { maker, leavePath, endpointId, read } = await newMaker(the());
    const left = await maker.call.post(leavePath);
    expect(left.json).toMatchObject({ webhooks: [{ endpointId, status: "disabled" }] });
    expect(await read()).toMatchObject([{ status: "disabled" }, { status: "disabled" }]);
  });

  test("get the lower role of their maker", async () => {
    const { admin, path, read, sourcePath, headers } = await newMaker(the());
    const lowered = await admin.patch(`${path}/roles`, { role: "tenant-viewer" });
    expect(lowered.status, lowered.text).toBe(200);
    expect(await read()).toMatchObject([
      { status: "active", role: "tenant-viewer" },
      { status: "active", role: "tenant-viewer" },
    ]);
    const [, present] = await read();
    // The admin who raises the role of a source answers for it.
    const raised = await admin.patch(sourcePath, { role: "tenant-staff" }, { headers });
    expect(raised.json).toMatchObject({ status: "active", role: "tenant-staff" });
    expect(field(raised.json, "created_by")).toBe(the().users["system-admin"].oid);
    expect(field(raised.json, "keyId")).not.toBe(field(present, "keyId"));
  });
});
