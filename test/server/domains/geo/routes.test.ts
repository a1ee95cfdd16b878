import { beforeAll, expect, test } from "vitest";
import { metresBetween } from "#server/kit/geometry/distance.ts";
import { apiCases } from "#test/support/api-cases.ts";
import { describePlatform, field, type TestPlatform } from "#test/support/platform.ts";

const path = "/v4/geo/resolve-location";
const headers = { "x-tenant-id": "{tenant}" };
const point = (longitude: number, latitude: number) => ({
  type: "Point",
  coordinates: [longitude, latitude],
});
const quays = [point(-1.6, 54.97), point(-0.12, 51.5)] as const;

/** Sites with a point, in one workspace and in another. */
async function withSites(the: TestPlatform): Promise<void> {
  const site = {
    name: "Site",
    slug: "site",
    properties: {
      address: { type: "string", searchable: true },
      place: { type: "geopoint" },
    },
  };
  const { tenant, other } = the.workspaces;
  for (const [user, workspace, records] of [
    [
      "tenant-builder",
      tenant,
      [
        { address: "18 Quay Street, Newcastle", place: quays[0] },
        { address: "3 Quay Street, London", place: quays[1] },
        { address: "Quay Street without a point" },
      ],
    ],
    ["outsider", other, [{ address: "1 Foreign Quay Street", place: quays[0] }]],
  ] as const) {
    const of = { headers: { "x-tenant-id": workspace } };
    const made = await the.as(user).post("/v4/data/resources/object-types", site, of);
    expect(made.status).toBe(201);
    for (const record of records) {
      const stored = await the.as(user).post(`/v4/data/resources/${workspace}/site`, record);
      expect(stored.status, stored.text).toBe(201);
    }
  }
}

describePlatform("a lookup of a location", (the) => {
  beforeAll(() => withSites(the()));

  apiCases(the, [
    {
      name: "finds the records with a point whose texts have the words",
      as: "tenant-viewer",
      method: "POST",
      path,
      headers,
      body: { query: "newcastle", datasets: ["site"] },
      expect: {
        status: 200,
        body: {
          matches: [
            {
              name: "18 Quay Street, Newcastle",
              kind: "record",
              dataset: "site",
              property: "place",
              geometry: quays[0],
              properties: { address: "18 Quay Street, Newcastle" },
            },
          ],
        },
      },
    },
    ...quays.map((near, index) => ({
      name: `prefers matches near ${near.coordinates.join(" ")}, and measures`,
      as: "tenant-viewer" as const,
      method: "POST",
      path,
      headers,
      body: { query: "Quay Street", near, datasets: ["site"] },
      expect: {
        status: 200,
        body: {
          matches: [
            { geometry: quays[index], distance: 0 },
            { geometry: quays[1 - index], distance: 398_197 },
          ],
        },
        excludes: ["Foreign", "without a point"],
      },
    })),
    {
      name: "gives no more than wanted",
      method: "POST",
      path,
      headers,
      body: { query: "Quay Street", limit: 1 },
      expect: { status: 200, body: { matches: [{ dataset: "site" }] } },
    },
    {
      name: "takes coordinates as they are: latitude first",
      method: "POST",
      path,
      headers,
      body: { query: " 54.97, -1.6 " },
      expect: {
        status: 200,
        body: {
          matches: [
            {
              name: "54.97, -1.6",
              kind: "coordinates",
              score: 1,
              geometry: quays[0],
              dataset: null,
            },
          ],
        },
      },
    },
    {
      name: "puts records before places of the gazetteer",
      method: "POST",
      path,
      headers,
      body: { query: "Newcastle", limit: 2 },
      expect: {
        status: 200,
        body: {
          matches: [
            { kind: "record", matchedBy: "words", confidence: 1 },
            { kind: "place", matchedBy: "name", dataset: "gazetteer", name: "Newcastle" },
          ],
        },
      },
    },
    {
      name: "finds a record by words with a typing error, and another house number",
      method: "POST",
      path,
      headers,
      body: { query: "20 Quay Street Newcasle", datasets: ["site"], limit: 1 },
      expect: {
        status: 200,
        body: { matches: [{ name: "18 Quay Street, Newcastle", confidence: 0.864 }] },
      },
    },
    {
      name: "finds the records and the nearest places of a point, with the areas around it",
      method: "POST",
      path,
      headers,
      body: { point: quays[0], limit: 3 },
      expect: {
        status: 200,
        body: {
          matches: [
            {
              kind: "record",
              dataset: "site",
              distance: 0,
              areas: [
                { name: "Newcastle upon Tyne", kind: "area", code: "GB-NET" },
                { name: "England" },
                { name: "United Kingdom", kind: "country", code: "GB" },
              ],
            },
            { kind: "place", matchedBy: "point" },
            { kind: "place", matchedBy: "point" },
          ],
        },
      },
    },
    {
      name: "names a far place for a point at sea with little confidence",
      method: "POST",
      path,
      headers,
      body: { point: { type: "Point", coordinates: [0, 0] }, limit: 1 },
      expect: { status: 200, body: { matches: [{ name: "Takoradi", confidence: 0.017 }] } },
    },
    {
      name: "finds nothing for words that no record has",
      method: "POST",
      path,
      headers,
      body: { query: "qqqqwwwwzzzz" },
      expect: { status: 200, body: { matches: [] } },
    },
  ]);

  test("of a workspace without places finds nothing", async () => {
    const { child, tenant } = the().workspaces;
    const admin = the().as("tenant-admin");
    await admin.post(`/v4/platform/tenants/${tenant}/children/${child}/bootstrap-admin`);
    const answered = await admin.post(
      path,
      { query: "Quay", datasets: ["site"] },
      { headers: { "x-tenant-id": child } },
    );
    expect(field(answered.json, "matches")).toEqual([]);
  });
});

test("metres between two points are those of the sphere", () => {
  expect(Math.round(metresBetween([0, 0], [0, 90]))).toBe(10_007_557);
});
