import fc from "fast-check";
import { beforeAll, expect, test } from "vitest";
import type { JsonObject } from "#contract/values.ts";
import { isInside, sidesOf } from "#server/database/where/polygon.ts";
import { describeOnEachDatabase } from "#test/support/databases.ts";
import {
  definition,
  newWorkspace,
  recordServices,
  type RecordServices,
} from "#test/support/records.ts";

type Position = [longitude: number, latitude: number];

const place = { type: "geopoint" } as const;
const stop = definition({
  name: "Stop",
  slug: "stop",
  properties: {
    name: { type: "string", indexed: true },
    place,
    doors: { type: "array", items: place },
    lines: { type: "array", items: { type: "object", properties: { end: place } } },
    free: { type: "object" },
  },
});
const depot = definition({ name: "Depot", slug: "depot", properties: { place } });

const radiusMetres = 6_378_100;

/** The great circle, by the haversine formula. */
function metres(one: Position, other: Position): number {
  const [a, b, c, d] = [...one, ...other].map((degrees) => (degrees * Math.PI) / 180);
  const [along, up, to, above] = [a ?? 0, b ?? 0, c ?? 0, d ?? 0];
  const square = (value: number): number => value * value;
  const chord =
    square(Math.sin((above - up) / 2)) +
    Math.cos(up) * Math.cos(above) * square(Math.sin((to - along) / 2));
  return 2 * radiusMetres * Math.asin(Math.min(1, Math.sqrt(chord)));
}

const point = (coordinates: Position): JsonObject => ({ type: "Point", coordinates });
const near = (center: Position, maximum: number, minimum = 0): JsonObject => ({
  $near: { $geometry: point(center), $maxDistance: maximum, $minDistance: minimum },
});

describeOnEachDatabase("places", (open) => {
  let services: RecordServices;
  const workspace = newWorkspace();
  const positions = fc
    .sample(fc.tuple(degrees(180), degrees(90)), { numRuns: 120, seed: 20261121 })
    .map((position): Position => [position[0], position[1]]);
  const known = new Map<string, Position>();

  beforeAll(async () => {
    services = recordServices(await open());
    for (const type of [stop, depot]) {
      await services.objectTypes.create(services.work, workspace, type);
    }
    for (const position of positions) {
      const made = await make("stop", { place: point(position), name: "everywhere" });
      known.set(made, position);
    }
    await make("stop", { name: "nowhere" });
    await make("stop", { name: "null", place: null });
  });

  async function make(slug: string, data: JsonObject): Promise<string> {
    return (await services.resources.create(services.work, workspace, slug, data)).id;
  }

  async function found(where: JsonObject, more: object = {}): Promise<string[]> {
    const query = { where: JSON.stringify(where), limit: 500, ...more };
    const { items } = await services.resources.list(services.work, workspace, "stop", query);
    return items.map(({ id }) => id);
  }

  /** The ids of places within the ring, the nearest first. */
  function expected(center: Position, maximum: number, minimum = 0): string[] {
    return [...known]
      .map(([id, position]) => ({ id, away: metres(center, position) }))
      .filter(({ away }) => away >= minimum && away <= maximum)
      .toSorted((one, other) => one.away - other.away)
      .map(({ id }) => id);
  }

  test("$near answers the nearest first, from anywhere and however far", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.tuple(degrees(180), degrees(90)),
        fc.integer({ min: 0, max: 20_100_000 }),
        fc.integer({ min: 0, max: 5_000_000 }),
        async ([longitude, latitude], maximum, minimum) => {
          const center: Position = [longitude, latitude];
          const ids = await found({ place: near(center, maximum, minimum) });
          expect(ids).toEqual(expected(center, maximum, minimum));
        },
      ),
      { numRuns: 60, seed: 1 },
    );
  });

  test("keeps the order from page to page", async () => {
    const center: Position = [10, 50];
    const where = JSON.stringify({ place: near(center, 30_000_000), name: "everywhere" });
    const ids: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await services.resources.list(services.work, workspace, "stop", {
        where,
        limit: 17,
        cursor,
      });
      ids.push(...page.items.map(({ id }) => id));
      cursor = page.nextCursor ?? undefined;
    } while (cursor !== undefined);
    expect(ids).toEqual(expected(center, 30_000_000));
    expect(ids).toHaveLength(positions.length);
  });

  test("yields to an order that is asked for, and only filters below $or and $not", async () => {
    const center: Position = [10, 50];
    const wide = near(center, 30_000_000);
    const byMaking = expected(center, 30_000_000).toSorted();
    expect(await found({ place: wide }, { sort: "created_at" })).toEqual(byMaking);
    expect(await found({ $or: [{ place: wide }] })).toEqual(byMaking.toReversed());
    expect(await found({ $and: [{ name: "everywhere" }, { place: wide }] })).toEqual(
      expected(center, 30_000_000),
    );
    expect(await found({ place: { $not: wide } })).toHaveLength(2);
  });

  test("takes the nearest of a list's places that is near enough", async () => {
    const far = await make("stop", { doors: [point([0, 0.5]), point([0, 2])] });
    const close = await make("stop", { doors: [point([0, 0.3]), point([0, 5])] });
    expect(await found({ doors: near([0, 0], 1e6) })).toEqual([close, far]);
    // 0.3 degrees are 33 km, so that its other door counts.
    expect(await found({ doors: near([0, 0], 1e6, 40_000) })).toEqual([far, close]);
    const second = await make("stop", { lines: [{ end: point([0, 9]) }, { end: point([0, 2]) }] });
    const first = await make("stop", { lines: [{}, { end: point([0, 1]) }] });
    expect(await found({ "lines.end": near([0, 0], 1e6) })).toEqual([first, second]);
    const inner = await make("stop", { free: { a: [{ b: point([3, 3]) }] } });
    const plain = await make("stop", { free: { a: { b: point([2, 2]) } } });
    expect(await found({ "free.a.b": near([0, 0], 1e6) })).toEqual([plain, inner]);
  });

  test("$within finds in any ring what lies inside it", async () => {
    const corner = fc.tuple(degrees(180), degrees(90));
    const ring = fc.uniqueArray(corner, { minLength: 3, maxLength: 12, selector: String });
    await fc.assert(
      fc.asyncProperty(ring, async (corners) => {
        const sides = sidesOf(corners);
        const inside = [...known].filter(([, [x, y]]) => isInside(sides, x, y));
        const ids = await found({ place: { $within: { $polygon: corners } }, name: "everywhere" });
        expect(ids.toSorted()).toEqual(inside.map(([id]) => id).toSorted());
      }),
      { numRuns: 60, seed: 2 },
    );
  });

  test("goes through several types in one order", async () => {
    const ids = [
      await make("depot", { place: point([-120.001, 5]) }),
      await make("stop", { place: point([-120.002, 5]) }),
      await make("depot", { place: point([-120.003, 5]) }),
    ];
    const signal = new AbortController().signal;
    const query = { types: ["stop", "depot"], where: { place: near([-120, 5], 1_000) } };
    const all = await services.resources.queries.run(services.work, workspace, query, signal);
    expect(all.items.map(({ id }) => id)).toEqual(ids);
    const first = await services.resources.queries.run(
      services.work,
      workspace,
      { ...query, limit: 2 },
      signal,
    );
    const cursor = first.nextCursor ?? "";
    const rest = await services.resources.queries.run(
      services.work,
      workspace,
      { ...query, cursor },
      signal,
    );
    expect([...first.items, ...rest.items].map(({ id }) => id)).toEqual(ids);
  });
});

function degrees(limit: number): fc.Arbitrary<number> {
  return fc.integer({ min: -limit * 1_000, max: limit * 1_000 }).map((value) => value / 1_000);
}
