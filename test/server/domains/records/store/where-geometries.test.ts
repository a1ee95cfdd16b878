import { beforeAll, expect, test } from "vitest";
import fc from "fast-check";
import type { JsonObject } from "#contract/values.ts";
import { metresTo } from "#server/kit/geometry/distance.ts";
import type { Geometry } from "#lib/geometry/geometry.ts";
import { atOnce } from "#lib/time/stepwise.ts";
import { PreparedGeometry } from "#server/kit/geometry/predicates.ts";
import { readGeometry } from "#lib/geometry/read-geometry.ts";
import { describeOnEachDatabase } from "#test/support/databases.ts";
import {
  definition,
  newWorkspace,
  recordServices,
  type RecordServices,
} from "#test/support/records.ts";

const site = definition({
  name: "Site",
  slug: "site",
  properties: {
    key: { type: "string", unique: true },
    outline: { type: "geometry" },
    parts: { type: "array", items: { type: "geometry" } },
    nested: { type: "object", properties: { outline: { type: "geometry" } } },
  },
});

const box = (west: number, south: number, east: number, north: number): number[][] => [
  [west, south],
  [east, south],
  [east, north],
  [west, north],
  [west, south],
];
const area = (...rings: number[][][]): Geometry => ({ type: "Polygon", coordinates: rings });
const line = (...coordinates: number[][]): Geometry => ({ type: "LineString", coordinates });
const point = (x: number, y: number): Geometry => ({ type: "Point", coordinates: [x, y] });
const ring10 = box(0, 0, 10, 10);
const withHole = area(ring10, box(4, 4, 6, 6));

/** Geometries on a small grid, so that they often touch, share edges and fill holes. */
const step = fc.integer({ min: 0, max: 7 });
const position = fc.tuple(step, step).map(([x, y]) => [x, y]);
const rectangle = fc
  .tuple(step, step, fc.integer({ min: 1, max: 4 }), fc.integer({ min: 1, max: 4 }))
  .map(([x, y, width, height]) => box(x, y, x + width, y + height));
const anyGeometry: fc.Arbitrary<Geometry> = fc
  .oneof(
    position.map((coordinates): Geometry => ({ type: "Point", coordinates })),
    fc
      .array(position, { minLength: 2, maxLength: 5 })
      .map((coordinates): Geometry => ({ type: "LineString", coordinates })),
    rectangle.map((ring) => area(ring)),
    fc
      .array(position, { minLength: 3, maxLength: 6 })
      .map((ring) => area([...ring, ring[0] ?? []])),
    fc.tuple(rectangle, rectangle).map((rings) => area(...rings)),
    fc.array(rectangle, { minLength: 1, maxLength: 3 }).map((rings): Geometry => ({
      type: "MultiPolygon",
      coordinates: rings.map((ring) => [ring]),
    })),
    fc.tuple(position, rectangle).map(([at, ring]): Geometry => ({
      type: "GeometryCollection",
      geometries: [{ type: "Point", coordinates: at }, area(ring)],
    })),
  )
  .filter((geometry) => readGeometry(geometry).faults === undefined);

const some = (count: number, seed: number): Geometry[] =>
  fc.sample(anyGeometry, { numRuns: count, seed });

describeOnEachDatabase("geometries in a filter", (open) => {
  let services: RecordServices;
  const random = newWorkspace();
  const workspace = newWorkspace();
  const stored = some(150, 7);

  async function keysIn(owner: string, where: unknown, sort?: string): Promise<string[]> {
    const { items } = await services.resources.list(services.work, owner, "site", {
      where: JSON.stringify(where),
      limit: 500,
      ...(sort === undefined ? {} : { sort }),
    });
    return items.map(({ data }) => String(data["key"]));
  }
  const keys = (where: unknown) => keysIn(workspace, where, "created_at");

  async function create(owner: string, data: JsonObject): Promise<void> {
    await services.resources.create(services.work, owner, "site", data);
  }

  beforeAll(async () => {
    services = recordServices(await open());
    for (const owner of [random, workspace]) {
      await services.objectTypes.create(services.work, owner, site);
    }
    for (const [key, outline] of stored.entries()) await create(random, { key: `${key}`, outline });
    const sites: [string, JsonObject][] = [
      ["hole", { outline: withHole }],
      ["road", { outline: line([-5, 5], [20, 5]) }],
      ["tree", { outline: point(5, 5) }],
      [
        "fiji",
        {
          outline: {
            type: "MultiPolygon",
            coordinates: [[box(179, -18, 180, -16)], [box(-180, -18, -179, -16)]],
          },
        },
      ],
      ["parts", { parts: [point(50, 50), line([60, 60], [61, 61])] }],
      ["nested", { nested: { outline: area(box(70, 70, 71, 71)) } }],
      ["nothing", { outline: null }],
    ];
    for (const [key, data] of sites) await create(workspace, { key, ...data });
  });

  test("agree with the exact test in memory, also where they only touch", async () => {
    for (const $geometry of some(40, 11)) {
      const prepared = PreparedGeometry.of($geometry);
      const expected = (passes: (geometry: Geometry) => boolean): string[] =>
        stored.flatMap((each, key) => (passes(each) ? [`${key}`] : []));
      const meeting = await keysIn(
        random,
        { outline: { $geoIntersects: { $geometry } } },
        "created_at",
      );
      const name = JSON.stringify($geometry);
      expect(meeting, name).toEqual(expected((each) => atOnce(prepared.intersects(each))));
      if ($geometry.type !== "Polygon" && $geometry.type !== "MultiPolygon") continue;
      const inside = await keysIn(random, { outline: { $geoWithin: { $geometry } } }, "created_at");
      expect(inside, name).toEqual(expected((each) => atOnce(prepared.contains(each))));
    }
  });

  test("are sorted by the distance of their nearest point", async () => {
    for (const [x, y] of [
      [3.1, 2.2],
      [-20, 40],
      [170, 10],
    ] as const) {
      const found = await keysIn(random, { outline: { $near: { $geometry: point(x, y) } } });
      const metres = found.map((key) => metresTo([x, y], stored[Number(key)] ?? point(0, 0)));
      expect(found).toHaveLength(stored.length);
      const falls = metres.filter((each, at) => at > 0 && each < (metres[at - 1] ?? 0) - 0.01);
      expect(falls).toEqual([]);
    }
  });

  const within = ($geometry: unknown) => ({ $geoWithin: { $geometry } });
  const meets = ($geometry: unknown) => ({ $geoIntersects: { $geometry } });

  test.each([
    ["an area around them", within(area(box(-1, -1, 11, 11))), ["hole", "tree"]],
    ["an area with a hole", meets(withHole), ["hole", "road"]],
    ["a line through two of them", meets(line([5, -1], [5, 20])), ["hole", "road", "tree"]],
    ["a line in a hole", meets(line([4.5, 4.5], [5.5, 4.5])), []],
    [
      "several lines",
      meets({
        type: "MultiLineString",
        coordinates: [
          [
            [-5, 5],
            [-6, 6],
          ],
        ],
      }),
      ["road"],
    ],
    ["an area across 180 degrees", within(area(box(178, -19, 182, -15))), ["fiji"]],
    ["a line across 180 degrees", meets(line([178, -17], [-178, -17])), ["fiji"]],
    [
      "a box across 180 degrees",
      {
        $geoWithin: {
          $box: [
            [178, -19],
            [-178, -15],
          ],
        },
      },
      ["fiji"],
    ],
    ["a circle", { $geoWithin: { $centerSphere: [[5, 5], 0.2] } }, ["hole", "tree"]],
    ["a flat circle", { $geoWithin: { $center: [[5, 5], 7.5] } }, ["hole", "tree"]],
    [
      "a collection",
      meets({ type: "GeometryCollection", geometries: [point(1, 1), point(-180, -17)] }),
      ["hole", "fiji"],
    ],
  ])("are found by %s", async (_name, outline, expected) => {
    expect(await keys({ outline })).toEqual(expected);
    const others = await keys({ outline: { $not: outline } });
    expect(others).toHaveLength(7 - expected.length);
  });

  test("are found in a list, in an object and by a distance", async () => {
    expect(await keys({ parts: meets(line([60, 61], [61, 60])) })).toEqual(["parts"]);
    expect(await keys({ "nested.outline": within(area(box(69, 69, 72, 72))) })).toEqual(["nested"]);
    const near = { $geometry: point(5, 5), $maxDistance: 1_000 };
    expect(await keysIn(workspace, { outline: { $near: near } })).toEqual(["road", "tree"]);
    const inHole = { $geometry: point(5, 5), $maxDistance: 120_000 };
    expect(await keysIn(workspace, { outline: { $near: inHole } })).toEqual([
      "road",
      "tree",
      "hole",
    ]);
  });

  test("follow a change and a deletion of their record", async () => {
    const outline = meets(point(100, 10));
    await create(workspace, { key: "moved", outline: point(100, 10) });
    const [record] = (
      await services.resources.list(services.work, workspace, "site", {
        where: JSON.stringify({ key: "moved" }),
      })
    ).items;
    expect(await keys({ outline })).toEqual(["moved"]);
    const id = record?.id ?? "";
    await services.resources.update(services.work, workspace, "site", {
      id,
      version: 1,
      data: { key: "moved", outline: point(101, 10) },
    });
    expect(await keys({ outline })).toEqual([]);
    expect(await keys({ outline: meets(point(101, 10)) })).toEqual(["moved"]);
  });
});
