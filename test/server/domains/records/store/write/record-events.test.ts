import { expect, test } from "vitest";
import type { ChangeEvent } from "#server/work/change-event.ts";
import { describePlatform, field, type Caller, type TestPlatform } from "#test/support/platform.ts";
import { text } from "../../../members/world.ts";
import { allEvents } from "../../../../work/stored-events.ts";

const slug = "permit";
const permit = {
  name: "Permit",
  slug,
  properties: {
    title: { type: "string" },
    code: { type: "string", unique: true },
    status: { type: "string", indexed: true },
    holder: { type: "string", indexed: true },
  },
};

async function world(the: TestPlatform) {
  const workspace = the.workspaces.tenant;
  const admin = the.as("tenant-admin");
  const headers = { "x-tenant-id": workspace };
  const path = `/v4/data/resources/${workspace}/${slug}`;
  const types = "/v4/data/resources/object-types";
  const made = await admin.post(types, permit, { headers });
  expect([201, 409]).toContain(made.status);
  const create = async (data: object): Promise<string> =>
    text(await ok(admin.post(path, data)), "id");
  const of = async (id: string): Promise<ChangeEvent[]> =>
    (await allEvents(the.platform.platformWork("a test"))).filter(
      ({ kind, subject }) => kind === "record" && subject === id,
    );
  return { workspace, admin, path, create, of };
}

async function ok(answer: ReturnType<Caller["get"]>): ReturnType<Caller["get"]> {
  const answered = await answer;
  expect(answered.status, answered.text).toBeLessThan(300);
  return answered;
}

describePlatform("the events of a record", (the) => {
  test("have its version, the changed names and the values of its indexed properties", async () => {
    const { workspace, admin, path, create, of } = await world(the());
    const id = await create({ title: "Barn", status: "open" });
    await ok(admin.patch(`${path}/${id}`, { data: { title: "Big barn", status: "closed" } }));
    await ok(admin.delete(`${path}/${id}`));
    await ok(admin.post(`${path}/${id}/restore`, {}));
    const { oid: actor } = the().users["tenant-admin"];
    const events = (await of(id)).map(({ request, ...event }) => {
      expect(request).toMatch(/./u);
      return event;
    });
    const common = { kind: "record", subject: id, workspaceId: workspace, type: slug, actor };
    const [open, closed] = [{ status: "open" }, { status: "closed" }];
    expect(events).toEqual([
      { ...common, op: "created", version: 1, after: open },
      {
        ...common,
        op: "updated",
        version: 2,
        changed: ["title", "status"],
        before: open,
        after: closed,
      },
      { ...common, op: "deleted", version: 3, before: closed },
      { ...common, op: "restored", version: 4, changed: [], after: closed },
    ]);
  });

  test("of creates at once are one for each record that was made", async () => {
    const { admin, path, create, of } = await world(the());
    await create({ code: "taken" });
    const codes = ["a", "taken", "b", "twice", "twice", "c"];
    const answers = await Promise.all(
      codes.map((code) => admin.post(path, { code, status: code })),
    );
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status === 201)).toHaveLength(4);
    expect(statuses[1]).toBe(409);
    const made = answers.filter(({ status }) => status === 201).map((each) => text(each, "id"));
    for (const id of made) expect((await of(id)).map(({ op }) => op)).toEqual(["created"]);
    const all = await allEvents(the().platform.platformWork("a test"));
    const values = all.flatMap(({ kind, after }) => (kind === "record" ? [after?.["status"]] : []));
    const own = values.map(String).filter((status) => codes.includes(status));
    expect(new Set(own)).toEqual(new Set(["a", "b", "c", "twice"]));
    expect(own).toHaveLength(4);
  });

  test("of a batch are those of the records that were made, in their order", async () => {
    const { admin, path, create } = await world(the());
    await create({ code: "code-20" });
    const items = Array.from({ length: 70 }, (_, at) => ({
      code: `code-${at}`,
      status: `s-${at}`,
    }));
    const { json } = await ok(admin.post(`${path}/batch/create`, { items, atomic: false }));
    expect(json).toMatchObject({ succeeded: 69, failed: 1 });
    const all = await allEvents(the().platform.platformWork("a test"));
    const made = all.flatMap(({ after }) => {
      const status = after?.["status"];
      return typeof status === "string" && status.startsWith("s-") ? [status] : [];
    });
    const wanted = items.map(({ status }) => status).filter((status) => status !== "s-20");
    expect(made).toEqual(wanted);
  });

  test("are one for each record of a type without unique values, alone and in batches", async () => {
    const { admin, workspace } = await world(the());
    const { code: _unique, ...properties } = permit.properties;
    const type = { name: "Note", slug: "note", properties };
    const headers = { "x-tenant-id": workspace };
    await ok(admin.post("/v4/data/resources/object-types", type, { headers }));
    const path = `/v4/data/resources/${workspace}/note`;
    const statuses = Array.from({ length: 40 }, (_, at) => `'n' \\ "${at}"`);
    const items = statuses.slice(10).map((status) => ({ status }));
    await Promise.all(statuses.slice(0, 10).map((status) => ok(admin.post(path, { status }))));
    await ok(admin.post(`${path}/batch/create`, { items }));
    const all = await allEvents(the().platform.platformWork("a test"));
    const made = all.flatMap((event) =>
      event.type === "note" && event.kind === "record" ? [event.after?.["status"]] : [],
    );
    expect(made.slice(10)).toEqual(statuses.slice(10));
    expect(new Set(made)).toEqual(new Set(statuses));
    expect(made).toHaveLength(statuses.length);
  });

  test("lose their values when the record is erased, and end with the erasure", async () => {
    const { admin, path, create, of } = await world(the());
    const kept = await create({ title: "Kept", holder: "Ada" });
    const id = await create({ title: "Erased", holder: "Grace" });
    await ok(admin.patch(`${path}/${id}`, { data: { holder: "Grace Hopper" } }));
    await ok(admin.delete(`${path}/${id}?permanent=true`));
    const events = await of(id);
    expect(events.map(({ op }) => op)).toEqual(["created", "updated", "deleted", "erased"]);
    const all = await allEvents(the().platform.platformWork("a test"));
    expect(JSON.stringify(all)).not.toContain("Grace");
    expect((await of(kept))[0]?.after).toEqual({ holder: "Ada" });
  });

  test("are in the order of its versions, though many write it at once", async () => {
    const { admin, path, create, of } = await world(the());
    const ids = [await create({ title: "1" }), await create({ title: "2" })];
    const writers = 24;
    await Promise.all(
      Array.from({ length: writers }, (_, writer) =>
        Promise.all(
          ids.map((id) => ok(admin.patch(`${path}/${id}`, { data: { status: `${writer}` } }))),
        ),
      ),
    );
    for (const id of ids) {
      const versions = (await of(id)).map(({ version }) => version);
      expect(versions).toEqual(Array.from({ length: writers + 1 }, (_, index) => index + 1));
    }
  });

  test("are one for each record of a batch, and none for what is refused", async () => {
    const { admin, path, of } = await world(the());
    const items = Array.from({ length: 120 }, (_, index) => ({ title: `${index}` }));
    const made = await ok(admin.post(`${path}/batch/create`, { items }));
    const ids = (field(made.json, "results") as { id: string }[]).map(({ id }) => id);
    const all = await allEvents(the().platform.platformWork("a test"));
    const found = all.filter(({ subject }) => ids.includes(subject));
    expect(found.map(({ op }) => op)).toEqual(ids.map(() => "created"));
    const [id = ""] = ids;
    const stale = await admin.put(`${path}/${id}`, { data: { title: "x" }, version: 7 });
    expect(stale.status).toBe(409);
    expect(await of(id)).toHaveLength(1);
  });
});
