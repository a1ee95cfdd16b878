import { SQL } from "bun";
import { gridOfPoints } from "./grid-of-points.ts";
import { beforeAll, expect, test } from "vitest";
import type { Database } from "#server/database/database.ts";
import { byDialect, raw, statement } from "#server/database/statement.ts";
import { matching } from "#server/domains/records/store/read/scans.ts";
import { unservedPaths } from "#server/domains/records/store/read/list-plan.ts";
import { requireCondition } from "#server/domains/records/where/record-filter.ts";
import type { ReadableType } from "#server/domains/object-types/service.ts";
import { describeOnEachDatabase } from "#test/support/databases.ts";
import {
  definition,
  newWorkspace,
  recordServices,
  type RecordServices,
} from "#test/support/records.ts";

const count = 20_000;
const atOnce = 4_000;

describeOnEachDatabase("the index of places", (open, { engine, createTables }) => {
  let services: RecordServices;
  let database: Database & RecordServices["database"];
  let type: ReadableType;
  const workspace = newWorkspace();

  beforeAll(async () => {
    const { url } = await createTables();
    const opened = await open({ url });
    services = recordServices(opened);
    database = { ...opened, ...services.database };
    const thing = definition({
      properties: { place: { type: "geopoint" }, outline: { type: "geometry" } },
    });
    await services.objectTypes.create(services.work, workspace, thing);
    const found = await services.objectTypes.find(workspace, "thing");
    if (found === undefined) throw new Error("the type is missing");
    type = found.whole;
    for (let from = 0; from < count; from += atOnce) {
      await opened.write((writer) => writer.run(gridOfPoints(type, from, atOnce)));
    }
    if (engine === "sqlite") await opened.write((writer) => writer.run(raw("analyze")));
    else await analyzeAsOwner(url);
  });

  const condition = (where: unknown) => requireCondition(where, [], [type]);

  async function planOf(where: unknown): Promise<string> {
    const source = matching(type, condition(where));
    const rows = await database.read.all<Record<string, unknown>>(
      statement`${byDialect({
        sqlite: raw("explain query plan"),
        postgresql: raw("explain"),
      })} select resources.id from ${source}`,
    );
    return rows.map((row) => Object.values(row).join(" ")).join("\n");
  }

  const total = async (where: unknown): Promise<number> => {
    const query = { where: JSON.stringify(where), limit: 500, count: true };
    const page = await services.resources.list(services.work, workspace, "thing", query);
    return page.total ?? page.items.length;
  };

  const square = [
    [5.05, 5.05],
    [5.55, 5.05],
    [5.55, 5.55],
    [5.05, 5.55],
    [5.05, 5.05],
  ];
  const $geometry = { type: "Polygon", coordinates: [square] };

  test.each([
    [
      "$near",
      { $near: { $geometry: { type: "Point", coordinates: [5, 5] }, $maxDistance: 20_000 } },
    ],
    ["$geoWithin", { $geoWithin: { $geometry } }],
    ["$geoIntersects", { $geoIntersects: { $geometry } }],
    ["$centerSphere", { $geoWithin: { $centerSphere: [[5, 5], 0.002] } }],
  ])("finds the records of %s, so that no other record is read", async (_name, place) => {
    const plan = await planOf({ place });
    expect(plan).toMatch(/record_boxes VIRTUAL TABLE INDEX|record_places_by_box/);
    expect(plan).toMatch(/SEARCH resources USING INTEGER PRIMARY KEY|Index Scan using resources/);
    expect(plan).not.toMatch(/SCAN resources|Seq Scan on resources/);
    expect(unservedPaths(type, condition({ place }), [])).toEqual([]);
    expect(await total({ place })).toBeGreaterThan(0);
  });

  test("tests geometries of records that are near only, whatever the planner knows", async () => {
    const near = { $near: { $geometry: { type: "Point", coordinates: [5, 5] }, $maxDistance: 9 } };
    const plan = await planOf({ outline: near });
    expect(plan).toMatch(/record_boxes VIRTUAL TABLE INDEX|id = ANY/);
    // A join may test each record as often as records are near.
    expect(plan).not.toContain("Nested Loop");
  });

  test("finds what a scan finds", async () => {
    // Points are each tenth of a degree.
    expect(await total({ place: { $geoWithin: { $geometry } } })).toBe(25);
    expect(await total({ place: { $not: { $geoWithin: { $geometry } } } })).toBe(count - 25);
    expect(await total({ outline: { $geoIntersects: { $geometry } } })).toBe(0);
  });

  test("does not serve a distance without an end", () => {
    const place = { $near: { $geometry: { type: "Point", coordinates: [5, 5] } } };
    expect(unservedPaths(type, condition({ place }), [])).toEqual(["place"]);
  });
});

/** Makes statistics of all tables, which PostgreSQL lets only their owner do. */
async function analyzeAsOwner(url: string): Promise<void> {
  const sql = new SQL(url, { max: 1 });
  await sql.unsafe("analyze");
  await sql.close();
}
