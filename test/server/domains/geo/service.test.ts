import { expect, test } from "vitest";
import { Locations } from "#server/domains/geo/service.ts";
import type { LocationLookup, Point } from "#contract/resources/geo.ts";
import { describeOnEachDatabase } from "#test/support/databases.ts";
import { testWorks } from "#test/support/work.ts";

describeOnEachDatabase("places without the gazetteer", (open) => {
  test("are coordinates and those of the workspace", async () => {
    const own = { name: "Byker", kind: "feature", score: 1, dataset: "wards", id: "byker" };
    const locations = new Locations({
      records: { find: () => Promise.resolve([]), around: () => Promise.resolve([]) },
      features: {
        find: () => Promise.resolve([own]),
        around: () => Promise.resolve({ matches: [own], areas: [] }),
      },
      loadGazetteer: () => Promise.resolve(undefined),
    });
    const { work } = testWorks(await open());
    const { signal } = new AbortController();
    const resolve = (lookup: Partial<LocationLookup>) =>
      locations.resolve(work, "workspace", { limit: 10, ...lookup }, signal);
    expect(await resolve({ query: "Byker" })).toEqual([own]);
    expect(await resolve({ query: "54.97, -1.6" })).toMatchObject([
      { kind: "coordinates", areas: [] },
    ]);
    const point: Point = { type: "Point", coordinates: [-1.6, 54.97] };
    expect(await resolve({ point })).toEqual([{ ...own, areas: [] }]);
  });
});
