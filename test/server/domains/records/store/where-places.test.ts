import { beforeAll, expect, test } from "vitest";
import type { JsonObject } from "#contract/values.ts";
import { describeOnEachDatabase } from "#test/support/databases.ts";
import {
  definition,
  newWorkspace,
  recordServices,
  type RecordServices,
} from "#test/support/records.ts";

const thing = definition({
  properties: { key: { type: "string", unique: true }, place: { type: "geopoint" } },
});

const point = (longitude: number, latitude: number): JsonObject => ({
  type: "Point",
  coordinates: [longitude, latitude],
});
const harbour: [number, number] = [-2.95, 53.4];

describeOnEachDatabase("places in a filter", (open) => {
  let services: RecordServices;
  const workspace = newWorkspace();

  async function keys(where: unknown): Promise<string[]> {
    const { items } = await services.resources.list(services.work, workspace, "thing", {
      where: JSON.stringify(where),
      sort: "created_at",
      limit: 500,
    });
    return items.map(({ data }) => String(data["key"]));
  }

  beforeAll(async () => {
    services = recordServices(await open());
    await services.objectTypes.create(services.work, workspace, thing);
    const places: [string, JsonObject | null][] = [
      ["at-harbour", point(...harbour)],
      ["1-km-north", point(-2.95, 53.409)],
      ["30-km-east", point(-2.5, 53.4)],
      ["fiji-east", point(179.9, -17)],
      ["fiji-west", point(-179.9, -17)],
      ["nowhere", null],
    ];
    for (const [key, place] of places) {
      await services.resources.create(services.work, workspace, "thing", { key, place });
    }
  });

  const corners = (west: number, south: number, east: number, north: number) => [
    [west, south],
    [east, south],
    [east, north],
    [west, north],
  ];
  const square = (west: number, south: number, degrees: number) =>
    corners(west, south, west + degrees, south + degrees);
  const around = [square(-3.1, 53.3, 1), square(-3, 53.395, 0.06)];

  test.each([
    ["a polygon with a hole", { type: "Polygon", coordinates: around }, ["30-km-east"]],
    [
      "several polygons",
      { type: "MultiPolygon", coordinates: [[square(-2.6, 53.3, 0.2)], [square(179.8, -18, 2)]] },
      ["30-km-east", "fiji-east", "fiji-west"],
    ],
  ])("are in %s by $geoWithin and $geoIntersects", async (_form, $geometry, expected) => {
    expect(await keys({ place: { $geoWithin: { $geometry } } })).toEqual(expected);
    expect(await keys({ place: { $geoIntersects: { $geometry } } })).toEqual(expected);
    const others = await keys({ place: { $not: { $geoWithin: { $geometry } } } });
    expect(others).toHaveLength((await keys({})).length - expected.length);
  });

  test("are found nearest first without a bound, however far, page by page", async () => {
    const expected = ["at-harbour", "1-km-north", "30-km-east", "fiji-west", "fiji-east"];
    const where = JSON.stringify({ place: { $near: { $geometry: point(...harbour) } } });
    const found: string[] = [];
    let cursor: string | null | undefined;
    do {
      const query = { where, limit: 2, cursor: cursor ?? undefined };
      const page = await services.resources.list(services.work, workspace, "thing", query);
      found.push(...page.items.map(({ data }) => String(data["key"])));
      cursor = page.nextCursor;
    } while (typeof cursor === "string");
    expect(found).toEqual(expected);
    const isFar = { $geometry: point(...harbour), $minDistance: 10_000 };
    expect(await keys({ place: { $near: isFar } })).toHaveLength(3);
  });

  test("are one of several points, and in a circle on a flat map", async () => {
    const points = [harbour, [179.9, -17], [0, 0]];
    const $geometry = { type: "MultiPoint", coordinates: points };
    const both = ["at-harbour", "fiji-east"];
    expect(await keys({ place: { $geoIntersects: { $geometry } } })).toEqual(both);
    expect(await keys({ place: { $geoIntersects: { $geometry: point(...harbour) } } })).toEqual([
      "at-harbour",
    ]);
    expect(await keys({ place: { $geoWithin: { $center: [harbour, 0.0095] } } })).toEqual([
      "at-harbour",
      "1-km-north",
    ]);
  });

  test("are sorted by distance without a greatest one", async () => {
    const { items } = await services.resources.list(services.work, workspace, "thing", {
      where: JSON.stringify({ place: { $near: { $geometry: point(-2.5, 53.4) } } }),
      limit: 500,
    });
    expect(items.map(({ data }) => data["key"])).toEqual([
      "30-km-east",
      "at-harbour",
      "1-km-north",
      "fiji-west",
      "fiji-east",
    ]);
  });

  test.each([
    [{ $geoWithin: { $geometry: { type: "Point", coordinates: [0, 0] } } }, "Polygon"],
    [{ $geoIntersects: { $geometry: { type: "Circle", coordinates: [] } } }, "MultiPoint"],
    [{ $geoIntersects: { $geometry: { type: "LineString", coordinates: [] } } }, "in a line"],
    [{ $geoIntersects: { $box: [] } }, "does not know"],
    [{ $geoWithin: { $geometry: { type: "MultiPolygon", coordinates: [] } } }, "1 to 100 parts"],
    [{ $geoWithin: { $geometry: { type: "Polygon", coordinates: [[[0, 0]]] } } }, "three"],
    [{ $geoWithin: { $center: [[0, 0], -1] } }, "radius"],
  ])("refuse %j", async (place, detail) => {
    await expect(keys({ place })).rejects.toMatchObject({
      message: expect.stringContaining(detail),
    });
  });
});
