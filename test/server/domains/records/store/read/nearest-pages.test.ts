import { beforeAll, expect, test } from "vitest";
import { metresBetween } from "#server/kit/geometry/distance.ts";
import type { Database } from "#server/database/database.ts";
import { readNearest } from "#server/domains/records/store/read/nearest-pages.ts";
import type { RecordPage } from "#server/domains/records/store/read/listed-page.ts";
import { parseOrder } from "#server/domains/records/store/read/sort.ts";
import { requireCondition } from "#server/domains/records/where/record-filter.ts";
import type { ReadableType } from "#server/domains/object-types/service.ts";
import { describeOnEachDatabase } from "#test/support/databases.ts";
import {
  definition,
  newWorkspace,
  recordServices,
  type RecordServices,
} from "#test/support/records.ts";
import { gridOfPoints, side } from "../../where/grid-of-points.ts";

const count = 4_000;
const atOnePlace = 90;
const crowd = [-170, 80] as const;
type Place = readonly [longitude: number, latitude: number];

const placeOf = (key: number): Place =>
  key < count ? [(key % side) / 10, Math.floor(key / side) / 10] : crowd;
const keys = Array.from({ length: count + atOnePlace }, (_each, key) => key);

function nearestTo(center: Place, passes: (key: number) => boolean): number[] {
  const metres = new Map(keys.map((key) => [key, metresBetween(center, placeOf(key))]));
  return keys
    .filter(passes)
    .toSorted((one, other) => (metres.get(one) ?? 0) - (metres.get(other) ?? 0));
}

describeOnEachDatabase("the nearest records without a bound", (open) => {
  let services: RecordServices;
  let database: Database & RecordServices["database"];
  let type: ReadableType;
  const workspace = newWorkspace();

  beforeAll(async () => {
    const opened = await open();
    services = recordServices(opened);
    database = { ...opened, ...services.database };
    const properties = { place: { type: "geopoint" }, key: { type: "integer" } } as const;
    await services.objectTypes.create(services.work, workspace, definition({ properties }));
    const found = await services.objectTypes.find(workspace, "thing");
    if (found === undefined) throw new Error("the type is missing");
    type = found.whole;
    await opened.write((writer) => writer.run(gridOfPoints(type, 0, count)));
    const place = { type: "Point", coordinates: [...crowd] };
    // Records that are created at once share a transaction.
    await Promise.all(
      keys
        .slice(count)
        .map((key) => services.resources.create(services.work, workspace, "thing", { key, place })),
    );
  });

  const near = ([x, y]: Place, others: object = {}) => ({
    place: { $near: { $geometry: { type: "Point", coordinates: [x, y] }, ...others } },
  });

  async function pages(where: object, limit: number, most: number): Promise<number[]> {
    const found: number[] = [];
    let cursor: string | undefined;
    while (found.length < most) {
      const query = { where: JSON.stringify(where), limit, cursor };
      const page = await services.resources.list(services.work, workspace, "thing", query);
      found.push(...page.items.map(({ data }) => Number(data["key"])));
      if (typeof page.nextCursor !== "string") break;
      cursor = page.nextCursor;
    }
    return found;
  }

  const distances = (center: Place, found: readonly number[]): number[] =>
    found.map((key) => Math.round(metresBetween(center, placeOf(key))));

  test.each([
    ["among them", [5.031, 1.072]],
    ["at their edge, across 180 degrees from others", [-179.99, 0.4]],
    ["at a pole", [12, 90]],
    ["at many of one place", crowd],
    ["on the other side of the earth", [-170, -1]],
  ] as const)("are the same as by measuring all of them: %s", async (_name, center) => {
    const found = await pages(near(center), 7, 35);
    expect(new Set(found).size).toBe(35);
    const expected = nearestTo(center, () => true).slice(0, 35);
    expect(distances(center, found)).toEqual(distances(center, expected));
  });

  test("pass other filters, have a least distance, and end with the last record", async () => {
    const center: Place = [5.031, 1.072];
    const seventh = { key: { $mod: [7, 3] } };
    const found = await pages({ ...near(center), ...seventh }, 10, 40);
    expect(found).toEqual(nearestTo(center, (key) => key % 7 === 3).slice(0, 40));
    const far = await pages(near(center, { $minDistance: 60_000 }), 10, 30);
    const isFar = (key: number) => metresBetween(center, placeOf(key)) * 1.0011 >= 60_000;
    expect(distances(center, far)).toEqual(
      distances(center, nearestTo(center, isFar).slice(0, 30)),
    );
    const few = await pages({ ...near(center), key: { $in: [1, 2, 3] } }, 2, 10);
    expect(few).toEqual(nearestTo(center, (key) => key >= 1 && key <= 3));
  });

  test("are read from few records of the index", async () => {
    const condition = requireCondition(near([5.031, 1.072]), [], [type]);
    const order = parseOrder(undefined, type, condition, undefined);
    if (order.fault !== undefined) throw new Error(order.fault);
    const page = { type, condition, keys: order.keys, after: undefined, offset: 0, limit: 20 };
    const read: RecordPage[] = [];
    await readNearest(database.read, page, async (part) => {
      read.push(part);
      return { records: [], valuesAt: () => [] };
    });
    const parts = read.map(({ condition: within }) =>
      within?.kind === "and" ? within.conditions.at(-1) : undefined,
    );
    const rows = parts.map((part) => {
      if (part?.kind !== "field") throw new Error("a part of the filter is missing");
      const { test: limit } = part;
      if (limit.kind === "in") return limit.values.length;
      if (limit.kind !== "near") throw new Error(`a test of another kind: ${limit.kind}`);
      return keys.filter((key) => {
        return metresBetween([5.031, 1.072], placeOf(key)) <= limit.near.maximumMetres;
      }).length;
    });
    expect(rows).toHaveLength(3);
    expect(rows[0]).toBeGreaterThanOrEqual(20);
    expect(rows[0]).toBeLessThanOrEqual(80);
  });
});
