import { expect, test } from "vitest";
import {
  describePlatform,
  field,
  type Answered,
  type TestPlatform,
} from "#test/support/platform.ts";
import { furnished, good, secretName, type World } from "./world.ts";

const errorsOf = ({ json }: Answered): unknown => field(json, "errors");
const dataOf = ({ json }: Answered): Record<string, unknown> => ({
  ...Object(field(json, "data")),
});

async function whole(world: World): Promise<Record<string, unknown>> {
  return dataOf(await world.the.as("tenant-admin").get(`${world.path}/${world.id}`));
}

async function versionOf(world: World): Promise<number> {
  const { json } = await world.the.as("tenant-admin").get(`${world.path}/${world.id}`);
  return Number(field(json, "version"));
}

describePlatform("writes under rights", (platform) => {
  test("a replacement leaves what the caller may not read as it is", async () => {
    const world = await furnished(platform(), { readRoles: ["tenant-admin"] });
    const before = await whole(world);
    const staff = world.the.as("tenant-staff");
    const item = { data: { title: "Birch" }, version: await versionOf(world) };
    const answered = good(await staff.put(`${world.path}/${world.id}`, item));
    expect(dataOf(answered)).toEqual({ title: "Birch" });
    const { state: _state, visit: _visit, label: _label, spot: _spot, ...kept } = before;
    expect(await whole(world)).toEqual({ ...kept, title: "Birch" });
    const items = [{ id: world.id, data: { title: "Larch" }, version: await versionOf(world) }];
    good(await staff.post(`${world.path}/batch/update`, { items }));
    expect(await whole(world)).toEqual({ ...kept, title: "Larch" });
  });

  test("a replacement that leaves out a read-only field is 403 with its pointer", async () => {
    const world = await furnished(platform(), { writeRoles: ["tenant-builder"] });
    const staff = world.the.as("tenant-staff");
    const item = { data: { title: "Birch" }, version: await versionOf(world) };
    const refused = await staff.put(`${world.path}/${world.id}`, item);
    expect(refused.status).toBe(403);
    expect(errorsOf(refused)).toContainEqual({
      pointer: `#/data/${secretName}`,
      detail: "cannot be written: this needs the role tenant-builder or tenant-admin",
    });
  });

  test("who writes a field without reading it sets it, and sees nothing of it", async () => {
    const rights = { readRoles: ["tenant-admin"], writeRoles: ["tenant-staff"] };
    const world = await furnished(platform(), rights);
    const staff = world.the.as("tenant-staff");
    const patch = { data: { [secretName]: "from staff" } };
    const answered = good(await staff.patch(`${world.path}/${world.id}`, patch));
    expect(answered.text).not.toContain(secretName);
    expect((await whole(world))[secretName]).toBe("from staff");
  });

  test("a collision on a hidden field reveals neither its name nor its value", async () => {
    const rights = { readRoles: ["tenant-admin"], writeRoles: ["tenant-staff"] };
    const world = await furnished(platform(), rights);
    const taken = { title: "Fir", [secretName]: `b ${world.secretWord}` };
    const staff = world.the.as("tenant-staff");
    const created = await staff.post(world.path, taken);
    const patched = await staff.patch(`${world.path}/${world.id}`, { data: taken });
    for (const refused of [created, patched]) {
      expect(refused.status).toBe(409);
      expect(refused.text).not.toContain(secretName);
      expect(refused.text).not.toContain(world.secretWord);
    }
  });

  test("a conflict names only changed fields that the caller may read", async () => {
    const world = await furnished(platform(), { readRoles: ["tenant-builder"] });
    const { path, id } = world;
    const version = await versionOf(world);
    const change = { data: { title: "Yew", [secretName]: "changed" } };
    good(await world.the.as("tenant-admin").patch(`${path}/${id}`, change));
    const stale = { data: { state: "x" }, version };
    const refused = await world.the.as("tenant-staff").patch(`${path}/${id}`, stale);
    expect(field(refused.json, "changedFields")).toEqual(["title"]);
    expect(refused.text).not.toContain(secretName);
    const seen = await world.the.as("tenant-builder").patch(`${path}/${id}`, stale);
    expect(field(seen.json, "changedFields")).toEqual(["title", secretName]);
  });

  test("an upsert by a hidden property is refused as by an unknown one", async () => {
    const world = await furnished(platform(), { readRoles: ["tenant-admin"] });
    const staff = world.the.as("tenant-staff");
    const by = (name: string) =>
      staff.put(`${world.path}/by/${name}/x`, { data: { title: "Fig" } });
    const [hidden, unknown] = [await by(secretName), await by("nosuchfield")];
    expect([hidden.status, errorsOf(hidden)]).toEqual([unknown.status, errorsOf(unknown)]);
    expect(hidden.status).toBe(422);
  });

  test("an action sets its constants by its role, and its parameters by the caller", async () => {
    const world = await furnished(platform(), { writeRoles: ["tenant-admin"] });
    const staff = world.the.as("tenant-staff");
    const actions = `${world.path}/${world.id}/actions`;
    const set = { parameters: { text: "by parameter" } };
    const refused = await staff.post(`${actions}/note`, set);
    expect(refused.status).toBe(403);
    expect(refused.text).toContain("#/parameters/text");
    const sealed = good(await staff.post(`${actions}/seal`, {}));
    expect(dataOf(sealed)[secretName]).toBe(`sealed ${world.secretWord}`);
    good(await world.the.as("tenant-admin").post(`${actions}/note`, set));
  });

  test("a transition of a hidden field does not tell its state", async () => {
    const world = await furnished(platform(), { readRoles: ["tenant-admin"] });
    const path = `${world.path}/${world.id}/actions/advance`;
    const refused = await world.the.as("tenant-staff").post(path, {});
    expect(refused.status).toBe(409);
    expect(refused.text).not.toContain(secretName);
    expect(refused.text).not.toContain(world.secretWord);
    const told = await world.the.as("tenant-admin").post(path, {});
    expect(field(told.json, "property")).toBe(secretName);
  });

  test("files of a field follow its rights", async () => {
    const hidden = await furnished(platform(), { readRoles: ["tenant-builder"] });
    const fixed = await furnished(platform(), { writeRoles: ["tenant-builder"] });
    const plan = { headers: { "content-type": "text/plain" }, rawBody: "Another plan" };
    const upload = ({ the, path, id }: World) =>
      the.as("tenant-staff").call("POST", `${path}/${id}/files/plan?filename=a.txt`, plan);
    const remove = ({ the, path, id }: World) =>
      the.as("tenant-staff").delete(`${path}/${id}/files/plan`);
    const link = ({ the, path, id }: World) =>
      the.as("tenant-staff").get(`${path}/${id}/files/plan?access=url`);
    expect([(await upload(hidden)).status, (await remove(hidden)).status]).toEqual([404, 404]);
    expect([(await link(hidden)).status, (await link(fixed)).status]).toEqual([404, 200]);
    expect([(await upload(fixed)).status, (await remove(fixed)).status]).toEqual([403, 403]);
  });

  test("a type that others write is read-only, also for deletions", async () => {
    const world = await furnished(platform(), {}, { writeRoles: ["tenant-builder"] });
    const { path, id, the } = world;
    const version = await versionOf(world);
    const items = [{ id, version, data: { title: "a" } }];
    const plan = { headers: { "content-type": "text/plain" }, rawBody: "Another plan" };
    const writes = (user: "tenant-staff" | "tenant-builder") => {
      const caller = the.as(user);
      return [
        () => caller.post(path, { title: "New" }),
        () => caller.post(`${path}/batch/create`, { items: [{ title: "New" }] }),
        () => caller.put(`${path}/${id}`, { data: { title: "a" }, version }),
        () => caller.patch(`${path}/${id}`, { data: { title: "b" } }),
        () => caller.put(`${path}/by/${secretName}/new-${user}`, { data: {} }),
        () => caller.post(`${path}/batch/update`, { items }),
        () => caller.call("POST", `${path}/${id}/files/plan?filename=a.txt`, plan),
        () => caller.delete(`${path}/${id}/files/plan`),
        () => caller.post(`${path}/batch/delete`, { items: [{ id }] }),
        () => caller.delete(`${path}/${id}`),
      ];
    };
    for (const write of writes("tenant-staff")) expect((await write()).status).toBe(403);
    for (const write of writes("tenant-builder")) expect((await write()).status).not.toBe(403);
  });

  test("a default fills a field that the creator may not write; another value is refused", async () => {
    const world = await furnished(platform(), { writeRoles: ["tenant-admin"] });
    const staff = world.the.as("tenant-staff");
    const stamp = `${secretName}stamp`;
    const made = good(await staff.post(world.path, { title: "Plum" }));
    expect(dataOf(made)[stamp]).toBe(`d ${world.secretWord}`);
    good(await staff.post(world.path, { title: "Pear", [stamp]: `d ${world.secretWord}` }));
    expect((await staff.post(world.path, { title: "Quince", [stamp]: "mine" })).status).toBe(403);
  });

  test("a reference to a record of a type that one may not read leads to no record", async () => {
    const the: TestPlatform = platform();
    const hidden = await furnished(the, {}, { readRoles: ["tenant-admin"] });
    const type = {
      name: `Visit${hidden.slug.replaceAll("-", "")}`,
      slug: `visit-${hidden.slug}`,
      properties: { of: { type: "reference", targetObjectType: hidden.slug } },
    };
    const { headers, workspace, id } = hidden;
    good(await the.as("tenant-admin").post("/v4/data/resources/object-types", type, { headers }));
    const visits = `/v4/data/resources/${workspace}/${type.slug}`;
    expect((await the.as("tenant-staff").post(visits, { of: id })).status).toBe(422);
    good(await the.as("tenant-admin").post(visits, { of: id }));
  });
});
