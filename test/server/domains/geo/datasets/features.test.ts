import { booleanIntersects } from "@turf/boolean-intersects";
import { beforeAll, expect, test } from "vitest";
import type { Point, Polygon } from "geojson";
import { describePlatform, field } from "#test/support/platform.ts";
import {
  collection,
  datasetsPath,
  feature,
  idsIn,
  imported,
  inWorkspace,
  newDataset,
  point,
} from "./world.ts";

const box = (west: number, south: number, east: number, north: number) => [
  [west, south],
  [east, south],
  [east, north],
  [west, north],
  [west, south],
];
const area = (...coordinates: number[][][]) => ({ type: "Polygon", coordinates });

/** Places that need care: an area with a hole, both sides of 180 degrees, a pole, and none. */
const places = [
  feature(point(1, 1), { kind: "tree", height: 5, tags: ["old"] }, "tree"),
  feature(point(5, 5), { kind: "tree", height: 12 }, "in-hole"),
  feature(area(box(0, 0, 10, 10), box(4, 4, 6, 6)), { kind: "park" }, "park"),
  feature(point(179.9, 0), { kind: "buoy" }, "east-end"),
  feature(point(-179.9, 0), { kind: "buoy" }, "west-end"),
  feature(point(40, 90), { kind: "buoy" }, "pole"),
  feature(null, { kind: "idea" }, "nowhere"),
];

describePlatform("the features of a dataset", (the) => {
  let dataset = "";

  beforeAll(async () => {
    dataset = await newDataset(the());
    const state = await imported(the(), dataset, collection(...places));
    expect(state).toMatchObject({ status: "succeeded", counts: { stored: places.length } });
  });

  test.each([
    ["", ["tree", "in-hole", "park", "east-end", "west-end", "pole", "nowhere"]],
    ["?bbox=0,0,2,2", ["tree", "park"]],
    ["?bbox=4.5,4.5,5.5,5.5", ["in-hole"]],
    ["?bbox=170,-10,-170,10", ["east-end", "west-end"]],
    ["?bbox=-180,80,180,90", ["pole"]],
    ["?near=180,0,15000", ["east-end", "west-end"]],
    ["?near=-140,89.999,1000", ["pole"]],
    ["?near=5,5,1000", ["in-hole"]],
    ["?near=5,5,150000", ["tree", "in-hole", "park"].slice(1)],
    [`?where=${encodeURIComponent('{"kind":"tree","height":{"$gt":10}}')}`, ["in-hole"]],
    [`?where=${encodeURIComponent('{"tags":"old"}')}`, ["tree"]],
    [`?where=${encodeURIComponent('{"id":{"$in":["pole","tree"]}}')}`, ["tree", "pole"]],
  ])("are listed by %s", async (query, ids) => {
    expect(await idsIn(the(), dataset, query)).toEqual(ids);
  });

  test.each([
    [{ within: area(box(-1, -1, 11, 11)) }, ["tree", "in-hole", "park"]],
    [{ within: area(box(0, 0, 10, 10), box(4, 4, 6, 6)) }, ["tree", "park"]],
    [{ within: area(box(0, 0, 9, 9)), where: { kind: "tree" } }, ["tree", "in-hole"]],
    [{ intersects: point(5, 5) }, ["in-hole"]],
    [
      {
        intersects: {
          type: "LineString",
          coordinates: [
            [-5, 5],
            [4, 5],
          ],
        },
      },
      ["park"],
    ],
    [{ bbox: [0, 0, 20, 20], near: { position: [1, 1], metres: 10 } }, ["tree", "park"]],
    [{ intersects: point(180, 90) }, []],
  ])("are found by %j", async (search, ids) => {
    expect(await idsIn(the(), dataset, search)).toEqual(ids);
  });

  test("come in pages by cursor, with their number", async () => {
    const { tenant } = the().workspaces;
    const viewer = the().as("tenant-viewer");
    const path = `${datasetsPath}/${dataset}/features`;
    const ids: unknown[] = [];
    let cursor: unknown = null;
    do {
      const next = typeof cursor === "string" ? `&cursor=${cursor}` : "&count=true";
      const query = `?limit=2&bbox=-180,-90,180,90${next}`;
      const { json } = await viewer.get(path + query, inWorkspace(tenant));
      if (cursor === null) expect(field(json, "total")).toBe(6);
      const items = field(json, "items");
      if (Array.isArray(items)) ids.push(...items.map((item) => field(item, "id")));
      cursor = field(json, "nextCursor");
    } while (cursor !== null);
    expect(ids).toEqual(["tree", "in-hole", "park", "east-end", "west-end", "pole"]);
  });

  test("of a random set agree with @turf", async () => {
    const other = await newDataset(the());
    // A fixed sequence, so that each run has the same features.
    let seed = 7;
    const next = (least: number, most: number): number => {
      seed = (seed * 16_807) % 2_147_483_647;
      return least + (seed / 2_147_483_647) * (most - least);
    };
    const points = Array.from({ length: 1_500 }, (_each, at) => {
      const geometry: Point = { type: "Point", coordinates: [next(-60, 60), next(-60, 60)] };
      return { id: `p${at}`, geometry };
    });
    const file = collection(...points.map(({ id, geometry }) => feature(geometry, {}, id)));
    await imported(the(), other, file);
    for (let round = 0; round < 5; round += 1) {
      const [x, y] = [next(-40, 40), next(-40, 40)];
      const radii = Array.from({ length: 12 }, () => next(2, 25));
      const ring = radii.map((radius, at) => [
        x + radius * Math.cos((at * Math.PI) / 6),
        y + radius * Math.sin((at * Math.PI) / 6),
      ]);
      const polygon: Polygon = { type: "Polygon", coordinates: [[...ring, ring[0] ?? []]] };
      const expected = points.filter(({ geometry }) => booleanIntersects(geometry, polygon));
      const found = await idsIn(the(), other, { intersects: polygon, limit: 500 });
      expect(found).toEqual(expected.map(({ id }) => id).slice(0, 500));
    }
  });

  test("are created, changed by version and deleted", async () => {
    const { tenant } = the().workspaces;
    const staff = the().as("tenant-staff");
    const own = await newDataset(the());
    const path = `${datasetsPath}/${own}`;
    const of = inWorkspace(tenant);
    const body = { id: "a b", geometry: point(1, 2), properties: { name: "A", old: 1 } };
    const created = await staff.post(`${path}/features`, body, of);
    expect(created.status, created.text).toBe(201);
    expect(created.json).toMatchObject({ ...body, version: 1 });
    expect((await staff.post(`${path}/features`, body, of)).status).toBe(409);
    const one = `${path}/features/a%20b`;
    const change = { properties: { name: "B", old: null }, geometry: point(50, 50), version: 1 };
    const changed = await staff.patch(one, change, of);
    expect(changed.json).toMatchObject({ properties: { name: "B" }, version: 2 });
    expect((await staff.patch(one, change, of)).status).toBe(409);
    expect(await idsIn(the(), own, "?bbox=0,0,10,10")).toEqual([]);
    expect(await idsIn(the(), own, "?bbox=49,49,51,51")).toEqual(["a b"]);
    const dataset = await staff.get(path, of);
    expect(dataset.json).toMatchObject({ features: 1, version: 3, bbox: [1, 2, 50, 50] });
    const stale = { headers: { ...of.headers, "if-match": '"1"' } };
    expect((await staff.delete(one, stale)).status).toBe(412);
    expect((await staff.delete(one, of)).status).toBe(204);
    expect((await staff.get(one, of)).status).toBe(404);
    expect(await idsIn(the(), own, "?bbox=49,49,51,51")).toEqual([]);
  });

  test("are refused with the place of the fault", async () => {
    const { tenant } = the().workspaces;
    const ring = [
      [0, 0],
      [2, 2],
      [2, 0],
      [0, 2],
      [0, 0],
    ];
    const body = { geometry: area(ring) };
    const path = `${datasetsPath}/${dataset}/features`;
    const refused = await the().as("tenant-staff").post(path, body, inWorkspace(tenant));
    expect(refused.status).toBe(422);
    expect(refused.text).toContain("#/geometry/coordinates/0/0");
    expect(refused.text).toContain("crosses itself at [1, 1]");
  });
});
