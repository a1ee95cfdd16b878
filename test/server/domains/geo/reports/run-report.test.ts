import { beforeAll, expect, test } from "vitest";
import type { Role } from "#contract/access/roles.ts";
import type { ReportResultInfo } from "#contract/geo/reports.ts";
import { eventually } from "#test/support/eventually.ts";
import {
  caller,
  describePlatform,
  field,
  type Caller,
  type TestUser,
} from "#test/support/platform.ts";
import { newMember } from "../../members/world.ts";
import {
  collection,
  feature,
  imported,
  inWorkspace,
  newDataset,
  point,
} from "../datasets/world.ts";

const square = (west: number, south: number, size: number) => ({
  type: "Polygon",
  coordinates: [
    [
      [west, south],
      [west + size, south],
      [west + size, south + size],
      [west, south + size],
      [west, south],
    ],
  ],
});
const path = "/v4/geo/reports";
const records = { type: "tree", property: "at" };

/** Properties of trees, of which the role and those above it read the cost. */
const treeOf = (role: Role) => ({
  at: { type: "geopoint" },
  height: { type: "number" },
  owner: { type: "string" },
  cost: { type: "number", readRoles: [role] },
});

describePlatform("a report by place", (the) => {
  let wards = "";
  let treeId = "";
  let made = 0;

  beforeAll(async () => {
    const { tenant } = the().workspaces;
    const definition = { name: "Tree", slug: "tree", properties: treeOf("tenant-builder") };
    const of = inWorkspace(tenant);
    const builder = the().as("tenant-builder");
    const types = "/v4/data/resources/object-types";
    const typed = await builder.post(types, definition, of);
    expect(typed.status, typed.text).toBe(201);
    treeId = String(field(typed.json, "id"));
    const trees = [
      { at: point(1, 1), height: 4, owner: "A", cost: 5 },
      { at: point(2, 2), height: 8, owner: "=B" },
      { at: point(10, 5), height: 6 },
      { at: point(15, 5) },
      { at: point(179.99, 0), height: 1 },
      { at: point(-179.99, 0), height: 2 },
      { height: 100 },
    ];
    for (const data of trees) {
      const answer = await builder.post(`/v4/data/resources/${tenant}/tree`, { data });
      expect(answer.status, answer.text).toBe(201);
    }
    wards = await newDataset(the());
    const areas = [
      feature(square(0, 0, 10), { label: "West" }, "w1"),
      feature(square(10, 0, 10), { label: "East" }, "w2"),
      feature(square(40, 40, 1), { label: "Empty" }, "w3"),
      feature(point(1, 1), { label: "No area" }, "w4"),
    ];
    const state = await imported(the(), wards, collection(...areas));
    expect(state.status).toBe("succeeded");
  });

  async function ran(
    definition: object,
    accept = "application/json",
    as: TestUser = "tenant-viewer",
  ) {
    const { tenant } = the().workspaces;
    const report = `report-${(made += 1)}`;
    const body = { report, ...definition };
    const created = await the().as("tenant-admin").post(path, body, inWorkspace(tenant));
    expect(created.status, created.text).toBe(201);
    const headers = { "x-tenant-id": tenant, accept };
    return the().as(as).post(`${path}/${report}/run`, undefined, { headers });
  }

  const rowsOf = async (definition: object) => {
    const answer = await ran(definition);
    expect(answer.status, answer.text).toBe(200);
    return answer.json;
  };

  test("counts, sums and averages records by the areas of a dataset", async () => {
    const metrics = {
      trees: { op: "count" },
      measured: { op: "count", field: "height" },
      all: { op: "sum", field: "height" },
      mean: { op: "avg", field: "height" },
    };
    const by = { kind: "areas", dataset: wards, name: "label" };
    expect(await rowsOf({ source: records, by, metrics })).toMatchObject({
      kind: "areas",
      items: 7,
      placed: 4,
      rows: [
        { key: "w1", name: "West", metrics: { trees: 3, measured: 3, all: 18, mean: 6 } },
        { key: "w2", name: "East", metrics: { trees: 1, measured: 0, all: 0, mean: null } },
        { key: "w3", name: "Empty", metrics: { trees: 0 } },
      ],
    });
  });

  test("counts records by cells in degrees, and leaves out empty ones", async () => {
    const by = { kind: "grid", degrees: 10 };
    const answer = await rowsOf({ source: records, where: { height: { $gte: 4 } }, by });
    expect(answer).toMatchObject({
      items: 4,
      placed: 3,
      rows: [
        { key: "0,0", metrics: { count: 2 } },
        { key: "10,0", metrics: { count: 1 } },
      ],
    });
    expect(field(answer, "rows")).toHaveLength(2);
  });

  test("counts features by rings, also across 180 degrees", async () => {
    const by = { kind: "rings", position: [179.995, 0], metres: [1000, 5000, 6000] };
    expect(await rowsOf({ source: records, by })).toMatchObject({
      placed: 2,
      rows: [
        { key: "0-1000", metrics: { count: 1 } },
        { key: "1000-5000", metrics: { count: 1 } },
        { key: "5000-6000", metrics: { count: 0 } },
      ],
    });
  });

  test.each([
    ["records", records, [1, 2]],
    ["features", undefined, ["w1", "w4"]],
  ])("lists the nearest %s with their distances", async (_name, source, keys) => {
    const by = { kind: "nearest", position: [1, 1], count: 2 };
    const answer = await rowsOf({ source: source ?? { dataset: wards }, by });
    const rows = field(answer, "rows");
    expect(rows).toHaveLength(2);
    expect(rows).toMatchObject([{ distance: 0 }, {}]);
    if (source === undefined) expect(rows).toMatchObject(keys.map((key) => ({ key })));
    else expect(rows).toMatchObject([{ properties: { height: 4 } }, { properties: { height: 8 } }]);
  });

  test("lists what is within a buffer of a line that crosses 180 degrees by two parts", async () => {
    const geometry = {
      type: "MultiLineString",
      coordinates: [
        [
          [179.9, 0.01],
          [180, 0.01],
        ],
        [
          [-180, 0.01],
          [-179.9, 0.01],
        ],
      ],
    };
    const near = await rowsOf({ source: records, by: { kind: "buffer", geometry, metres: 1200 } });
    expect(near).toMatchObject({ rows: [{ distance: 1111.95 }, { distance: 1111.95 }] });
    const none = await rowsOf({ source: records, by: { kind: "buffer", geometry, metres: 1100 } });
    expect(none).toMatchObject({ rows: [] });
  });

  test("is GeoJSON or CSV by the Accept field", async () => {
    const by = { kind: "areas", dataset: wards, name: "label" };
    const geojson = await ran({ source: records, by }, "application/geo+json");
    expect(geojson.headers.get("content-type")).toBe("application/geo+json");
    expect(geojson.json).toMatchObject({
      type: "FeatureCollection",
      features: [
        { id: "w1", geometry: square(0, 0, 10), properties: { name: "West", count: 3 } },
        {},
        {},
      ],
    });
    const csv = await ran({ source: records, by }, "text/csv");
    expect(csv.headers.get("content-type")).toContain("text/csv");
    expect(csv.text).toBe("key,name,count\r\nw1,West,3\r\nw2,East,1\r\nw3,Empty,0\r\n");
    const near = { kind: "nearest", position: [2, 2], count: 1 };
    const item = await ran({ source: records, by: near }, "text/csv");
    expect(item.text).toMatch(/^key,distance,longitude,latitude,.*\r\n[\w-]+,0,2,2,.*'=B/);
    expect((await ran({ source: records, by }, "image/png")).status).toBe(406);
  });

  test("shows no property that the caller may not read", async () => {
    const by = { kind: "nearest", position: [1, 1], count: 1 };
    expect((await ran({ source: records, by })).text).not.toContain("cost");
    const builders = await ran({ source: records, by }, "application/json", "tenant-builder");
    expect(builders.text).toContain('"cost":5');
    const grid = { kind: "grid", metres: 100_000 };
    const metrics = { cost: { op: "sum", field: "cost" } };
    const where = { cost: { $gt: 1 } };
    for (const named of [{ metrics }, { where }]) {
      const report = { source: records, by: grid, ...named };
      expect((await ran(report)).status).toBe(404);
      expect((await ran(report, "application/json", "tenant-builder")).status).toBe(200);
    }
  });

  test("that names a property which the caller may not read does not exist for them", async () => {
    const { tenant } = the().workspaces;
    const of = inWorkspace(tenant);
    const [admin, staff] = [the().as("tenant-admin"), the().as("tenant-staff")];
    const by = { kind: "grid", degrees: 1 };
    const named = {
      where: { $or: [{ "data.cost": 5 }] },
      metrics: { all: { op: "sum", field: "cost" } },
    };
    for (const report of ["hidden-report", "open-report"]) {
      const parts = report === "hidden-report" ? named : {};
      expect((await admin.post(path, { report, source: records, by, ...parts }, of)).status).toBe(
        201,
      );
    }
    for (const name of ["cost", "nosuch"]) {
      const metrics = { all: { op: "sum", field: name } };
      const body = { report: `of-${name}`, source: records, by, metrics };
      const refused = await staff.post(path, body, of);
      expect([refused.status, field(refused.json, "errors")]).toMatchObject([
        422,
        [{ pointer: "#/metrics/all/field", detail: expect.stringContaining(`"${name}"`) }],
      ]);
    }
    const missing = { report: "of-missing", source: { type: "missing", property: "at" }, by };
    expect((await staff.post(path, missing, of)).status).toBe(422);
    const hidden = `${path}/hidden-report`;
    const calls = [
      await staff.get(hidden, of),
      await staff.put(hidden, { title: "Mine", source: records, by }, of),
      await staff.patch(hidden, { title: "Mine" }, of),
      await staff.delete(hidden, of),
      await staff.post(`${hidden}/run`, undefined, of),
    ];
    expect(calls.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404]);
    expect((await staff.patch(`${path}/open-report`, { where: named.where }, of)).status).toBe(422);
    const listed = async (user: TestUser) => {
      const { json } = await the().as(user).get(`${path}?limit=500&count=true`, of);
      const names = Object.values(Object(field(json, "items"))).map((one) => field(one, "report"));
      expect(field(json, "total")).toBe(names.length);
      return names.filter((name) => String(name).endsWith("-report"));
    };
    expect(await listed("tenant-staff")).toEqual(["open-report"]);
    expect(await listed("tenant-builder")).toEqual(["open-report", "hidden-report"]);
    expect((await admin.delete(hidden, of)).status).toBe(204);
  });

  test("is a map by the Accept field", async () => {
    const by = { kind: "areas", dataset: wards, name: "label" };
    const map = await ran({ source: records, by }, "image/svg+xml");
    expect(map.headers.get("content-type")).toContain("image/svg+xml");
    expect(map.text).toMatch(/fill-opacity="0\.90"[^>]*><title>West, count 3<\/title>/);
  });

  /** The results of a report once `count` of them have ended, the newest first. */
  const ended = async (report: string, count: number) =>
    eventually(async () => {
      const of = inWorkspace(the().workspaces.tenant);
      const answer = await the().as("tenant-admin").get(`${path}/${report}/results`, of);
      const items = field(answer.json, "items") as ReportResultInfo[];
      expect(items.filter(({ status }) => status !== "queued")).toHaveLength(count);
      return items;
    });

  test("keeps results that show a reader what the reader may see", async () => {
    const of = inWorkspace(the().workspaces.tenant);
    const [builder, viewer] = [the().as("tenant-builder"), the().as("tenant-viewer")];
    const near = { kind: "nearest", position: [1, 1], count: 1 };
    const metrics = { cost: { op: "sum", field: "cost" } };
    for (const [report, definition, status] of [
      ["stored-near", { by: near }, 200],
      ["stored-cost", { by: { kind: "grid", degrees: 90 }, metrics }, 404],
      ["stored-where", { by: near, where: { cost: 5 } }, 404],
    ] as const) {
      const body = { report, source: records, ...definition };
      expect((await builder.post(path, body, of)).status).toBe(201);
      expect((await builder.post(`${path}/${report}/results`, undefined, of)).status).toBe(202);
      const [only] = await ended(report, 1);
      expect(only).toMatchObject({ status: "succeeded", scheduled: false });
      const place = `${path}/${report}/results/${only?.result}`;
      expect((await builder.get(place, of)).text).toContain('"cost":');
      const shown = await viewer.get(place, of);
      expect(shown.status, report).toBe(status);
      expect(shown.text).not.toContain('"cost":');
    }
  });

  test("shows no result of a former question that the reader may not ask", async () => {
    const of = inWorkspace(the().workspaces.tenant);
    const [builder, viewer] = [the().as("tenant-builder"), the().as("tenant-viewer")];
    const by = { kind: "grid", degrees: 90 };
    const metrics = { cost: { op: "sum", field: "cost" } };
    await builder.post(path, { report: "former", source: records, by, metrics }, of);
    const place = `${path}/former/results`;
    expect((await builder.post(place, undefined, of)).status).toBe(202);
    const [hidden] = await ended("former", 1);
    expect((await builder.patch(`${path}/former`, { metrics: null }, of)).status).toBe(200);
    expect((await builder.post(place, undefined, of)).status).toBe(202);
    await ended("former", 2);
    const results = async (caller: typeof viewer) =>
      field((await caller.get(`${place}?count=true`, of)).json, "items");
    expect(await results(builder)).toHaveLength(2);
    expect(await results(viewer)).toEqual([
      expect.not.objectContaining({ result: hidden?.result }),
    ]);
    expect((await viewer.get(`${place}/${hidden?.result}`, of)).status).toBe(404);
    expect((await builder.get(`${place}/${hidden?.result}`, of)).text).toContain('"cost":');
  });

  test("fails when who has set its schedule may no longer sign in", async () => {
    const { tenant } = the().workspaces;
    const of = inWorkspace(tenant);
    const admin = the().as("tenant-admin");
    const keys = `/v4/platform/tenants/${tenant}/keys`;
    const setBy = async (report: string, maker: Caller): Promise<void> => {
      const by = { kind: "grid", degrees: 90 };
      const body = { report, source: records, by, schedule: { every: "hour" } };
      expect((await maker.post(path, body, of)).status).toBe(201);
    };
    const expiresAt = new Date(the().now().getTime() + 30 * 60_000).toISOString();
    const ids: string[] = [];
    for (const [report, end] of Object.entries({ revoked: {}, expired: { expiresAt } })) {
      const key = await admin.post(keys, { name: report, role: "tenant-staff", ...end });
      ids.push(String(field(field(key.json, "key"), "keyId")));
      await setBy(report, caller(the().answer, String(field(key.json, "token"))));
    }
    const person = await newMember(the(), tenant, { role: "tenant-staff" });
    await setBy("disabled", person.call);
    await setBy("living", the().as("tenant-staff"));
    expect((await admin.delete(`${keys}/${ids[0]}`)).status).toBe(200);
    await the().as("system-admin").post(`/v4/platform/users/${person.oid}/disable`);
    the().advance(60 * 60_000);
    for (const report of ["revoked", "expired", "disabled"]) {
      const [only] = await ended(report, 1);
      expect(only, report).toMatchObject({ status: "failed", scheduled: true, items: 0 });
      expect(only?.error?.message).toContain("no access");
      expect((await admin.delete(`${path}/${report}`, of)).status).toBe(204);
    }
    expect(await ended("living", 1)).toMatchObject([{ status: "succeeded" }]);
    await admin.delete(`${path}/living`, of);
  });

  test("runs by its schedule once for each time, with the rights of who has set it", async () => {
    const of = inWorkspace(the().workspaces.tenant);
    const hour = 60 * 60_000;
    const metrics = { cost: { op: "sum", field: "cost" } };
    const schedule = { every: "hour" };
    const by = { kind: "grid", degrees: 90 };
    const body = { report: "hourly", source: records, by, metrics, schedule };
    const made = await the().as("tenant-builder").post(path, body, of);
    expect(field(made.json, "due_at")).toBeDefined();
    the().advance(hour);
    const [first] = await ended("hourly", 1);
    expect(first).toMatchObject({ status: "succeeded", scheduled: true, placed: 6 });
    const admin = the().as("tenant-admin");
    const costsFor = async (role: Role): Promise<void> => {
      const type = `/v4/data/resources/object-types/${treeId}`;
      const changed = await admin.patch(type, { properties: treeOf(role) }, of);
      expect(changed.status, changed.text).toBe(200);
    };
    await costsFor("tenant-admin");
    the().advance(hour);
    const [second, ...others] = await ended("hourly", 2);
    expect(others).toHaveLength(1);
    expect(second?.status).toBe("failed");
    expect(second?.error?.message).toContain("cost");
    await costsFor("tenant-builder");
    await admin.patch(`${path}/hourly`, { schedule: null }, of);
    const shown = await admin.get(`${path}/hourly`, of);
    expect(field(shown.json, "schedule")).toBeUndefined();
  });

  test("names a source that is missing", async () => {
    const by = { kind: "grid", degrees: 1 };
    for (const source of [{ dataset: "missing" }, { type: "missing", property: "at" }]) {
      const admins = await ran({ source, by }, "application/json", "tenant-admin");
      expect(admins).toMatchObject({ status: 409 });
    }
    const text = { type: "tree", property: "owner" };
    expect(await ran({ source: text, by })).toMatchObject({ status: 422 });
  });
});
