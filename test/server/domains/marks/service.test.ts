import { expect, test } from "vitest";
import { statement } from "#server/database/statement.ts";
import { describePlatform, field, type TestPlatform } from "#test/support/platform.ts";

const path = "/v4/identity/me/marks";
const typesPath = "/v4/data/resources/object-types";
let made = 0;

/** A new type, whose records a colleague changes, and the viewer's marks. */
async function world(the: TestPlatform) {
  const workspace = the.workspaces.tenant;
  const headers = { "x-tenant-id": workspace };
  const slug = `seen-${(made += 1)}`;
  const place = `records/${slug}`;
  const admin = the.as("tenant-admin");
  const properties = { title: { type: "string" } };
  const definition = { name: `Seen${made}`, slug, properties };
  expect(await admin.post(typesPath, definition, { headers })).toMatchObject({ status: 201 });
  const marks = async (of = place, as: "tenant-viewer" | "tenant-admin" = "tenant-viewer") => {
    const answer = await the.as(as).get(`${path}?tenant_id=${workspace}&place=${of}`);
    expect(answer.status).toBe(200);
    return field(answer.json, "items");
  };
  return {
    workspace,
    place,
    marks,
    look: (more: object = {}, as: "tenant-viewer" | "tenant-admin" = "tenant-viewer") =>
      the.as(as).put(path, { tenant_id: workspace, place, ...more }),
    async create(as: "tenant-admin" | "tenant-staff" = "tenant-staff") {
      const url = `/v4/data/resources/${workspace}/${slug}`;
      const answer = await the.as(as).post(url, { title: "Rowan" });
      expect(answer.status).toBe(201);
      return { url, id: String(field(answer.json, "id")) };
    },
  };
}

describePlatform("marks", (the) => {
  test("name what others changed since the last look, and nothing before the first", async () => {
    const { marks, look, create, place } = await world(the());
    await create();
    expect(await marks()).toEqual([]);
    expect(await look()).toMatchObject({ status: 200, json: { place } });
    expect(await marks()).toMatchObject([{ place, unseen: [], more: false }]);
    const [first, second] = [await create(), await create()];
    await the().as("tenant-staff").delete(`${second.url}/${second.id}`);
    expect(await marks()).toMatchObject([{ unseen: [first.id], more: false }]);
    await look();
    expect(await marks()).toMatchObject([{ unseen: [] }]);
  });

  test("leave out the caller's own changes, and are each person's own", async () => {
    const { marks, look, create, place } = await world(the());
    await look({}, "tenant-admin");
    const { id } = await create("tenant-admin");
    const other = await create("tenant-staff");
    expect(await marks(place, "tenant-admin")).toMatchObject([{ unseen: [other.id] }]);
    expect(await marks()).toEqual([]);
    await look();
    await create("tenant-admin");
    expect(await marks(place, "tenant-admin")).toMatchObject([{ unseen: [other.id] }]);
    expect(id).not.toBe(other.id);
  });

  test("begin at the cursor of a list that was read", async () => {
    const { marks, look, create } = await world(the());
    const { url } = await create();
    const { json } = await the().as("tenant-viewer").get(url);
    const { id } = await create();
    await look({ cursor: field(json, "feedCursor") });
    // On PostgreSQL a list's cursor may be half a second old.
    expect(field(field(await marks(), "0"), "unseen")).toContain(id);
    const foreign = { cursor: "no-cursor" };
    expect(await look(foreign)).toMatchObject({
      status: 422,
      json: { errors: [{ pointer: "#/cursor" }] },
    });
  });

  test("say so when the changes since are no longer known", async () => {
    const { marks, look, workspace } = await world(the());
    await look();
    const work = the().platform.platformWork("a mark of another database");
    await work.write((tx) =>
      tx.run(statement`update marks set position = 'none' where workspace_id = ${workspace}`),
    );
    expect(await marks()).toMatchObject([{ unseen: [], more: true, reset: "unknown-cursor" }]);
  });

  test("are no events, and have no entry in the audit log", async () => {
    const { look, workspace } = await world(the());
    const admin = the().as("tenant-admin");
    const log = `/v4/platform/tenants/${workspace}/audit?limit=1`;
    const before = await admin.get(log);
    expect(await look()).toMatchObject({ status: 200 });
    expect(await admin.get(log)).toMatchObject({
      json: { items: field(before.json, "items") },
    });
  });

  test("of a person are at most 200 in a workspace", async () => {
    const { look, workspace } = await world(the());
    const earlier = Array.from({ length: 205 }, (_, index) => index);
    for (const index of earlier) await look({ place: `records/old-${index}` });
    const answer = await the().as("tenant-viewer").get(`${path}?tenant_id=${workspace}`);
    const items = field(answer.json, "items");
    expect(Array.isArray(items) ? items.length : 0).toBe(200);
    expect(items).toContainEqual(expect.objectContaining({ place: "records/old-204" }));
  });
});
