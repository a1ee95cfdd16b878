import { beforeAll, expect, test } from "vitest";
import type { LocationMatch, LocationMatches } from "#contract/resources/geo.ts";
import { describePlatform } from "#test/support/platform.ts";
import {
  collection,
  datasetsPath,
  feature,
  imported,
  inWorkspace,
  newDataset,
  point,
} from "../world.ts";

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

/** Streets of a city whose names share their words. */
const streets = Array.from({ length: 400 }, (_each, at) =>
  feature(point(-1.6 + at / 1_000, 54.9), { name: `${at} Market Street` }, `street-${at}`),
);

describePlatform("places of datasets", (the) => {
  let wards = "";
  let sites = "";

  const matches = async (body: object, as: "tenant-viewer" | "outsider" = "tenant-viewer") => {
    const { tenant, other } = the().workspaces;
    const of = inWorkspace(as === "outsider" ? other : tenant);
    const answer = await the().as(as).post("/v4/geo/resolve-location", body, of);
    expect(answer.status, answer.text).toBe(200);
    return (answer.json as LocationMatches).matches;
  };
  const names = (found: readonly LocationMatch[]) => found.map(({ name }) => name);

  beforeAll(async () => {
    wards = await newDataset(the());
    sites = await newDataset(the());
    const areas = collection(
      feature(square(-1.7, 54.9, 0.2), { WD23NM: "Ouseburn Ward", code: "E05" }, "ouseburn"),
      feature(square(-1.66, 54.94, 0.02), { ward_name: "Byker" }, "byker"),
    );
    expect(await imported(the(), wards, areas)).toMatchObject({ status: "succeeded" });
    const points = collection(
      feature(point(-1.65, 54.95), { title: "Dene Park bandstand" }, "bandstand"),
      feature(point(-1.6501, 54.95), { name: "Glashütte", "name:en": "Glassworks" }, "glass"),
      feature(point(-1.3, 54.9), { note: "no name at all" }, "unnamed"),
      ...streets,
    );
    expect(await imported(the(), sites, points)).toMatchObject({ status: "succeeded" });
  });

  test.each([
    ["byker", "byker", "name"],
    ["Byker, Newcastle", "byker", "words"],
    ["ousburn ward", "ouseburn", "words"],
    ["bandstand dene", "bandstand", "words"],
    ["glashutte", "glass", "name"],
    ["glasworks", "glass", "words"],
    ["399 Market Street", "street-399", "name"],
  ])("are found by %j", async (query, id, matchedBy) => {
    const [first] = await matches({ query, datasets: [wards, sites] });
    expect(first).toMatchObject({ kind: "feature", id, matchedBy });
  });

  test("come with their geometry, box, properties and dataset", async () => {
    const [first] = await matches({ query: "bandstand", datasets: [sites] });
    expect(first).toMatchObject({
      name: "Dene Park bandstand",
      dataset: sites,
      geometry: point(-1.65, 54.95),
      bbox: [-1.65, 54.95, -1.65, 54.95],
      properties: { title: "Dene Park bandstand" },
    });
  });

  test("come before places of the gazetteer with a name that fits less", async () => {
    const found = await matches({ query: "Dene Park bandstand" });
    expect(found[0]).toMatchObject({ kind: "feature", confidence: 1 });
  });

  test("near a point come first among those with equal words", async () => {
    const query = { query: "Market Street", near: point(-1.6 + 0.35, 54.9), datasets: [sites] };
    expect(names(await matches(query))[0]).toBe("350 Market Street");
  });

  test("around a point are the nearest features, with the areas that contain it", async () => {
    const body = { point: point(-1.65, 54.95), datasets: [wards, sites, "gazetteer"], limit: 5 };
    const found = await matches(body);
    expect(found.slice(0, 4).map(({ id, distance }) => [id, distance])).toEqual([
      ["bandstand", 0],
      ["byker", 0],
      ["ouseburn", 0],
      ["glass", 6],
    ]);
    const areas = found[0]?.areas?.map(({ name }) => name) ?? [];
    expect(areas.slice(0, 2)).toEqual(["Byker", "Ouseburn Ward"]);
    expect(areas.slice(-2)).toEqual(["England", "United Kingdom"]);
    expect(found[1]?.areas?.[0]).toMatchObject({ name: "Ouseburn Ward", dataset: wards });
  });

  test("of other datasets and workspaces are not found", async () => {
    expect(await matches({ query: "byker", datasets: [sites] })).toEqual([]);
    expect(await matches({ query: "byker", datasets: [wards] }, "outsider")).toEqual([]);
    const at = { point: point(-1.65, 54.95), datasets: [wards] };
    expect(await matches(at, "outsider")).toEqual([]);
  });

  test("have their current names after each change and import", async () => {
    const dataset = await newDataset(the());
    const of = inWorkspace(the().workspaces.tenant);
    const staff = the().as("tenant-staff");
    const path = `${datasetsPath}/${dataset}/features`;
    const ids = async (query: string) =>
      (await matches({ query, datasets: [dataset] })).map(({ id }) => id);
    expect(await ids("Heaton")).toEqual([]);
    await staff.post(path, { id: "a", geometry: null, properties: { name: "Heaton" } }, of);
    expect(await ids("Heaton")).toEqual(["a"]);
    await staff.post(path, { id: "b", geometry: null, properties: { name: "Walker" } }, of);
    expect(await ids("Walker")).toEqual(["b"]);
    await staff.patch(`${path}/a`, { properties: { name: "Jesmond" } }, of);
    expect(await ids("Jesmond")).toEqual(["a"]);
    expect(await ids("Heaton")).toEqual([]);
    await staff.delete(`${path}/b`, of);
    expect(await ids("Walker")).toEqual([]);
    const names = { nameProperties: ["ref"] };
    const builder = the().as("tenant-builder");
    await staff.patch(`${path}/a`, { properties: { ref: "NE2 1XX" } }, of);
    await builder.patch(`${datasetsPath}/${dataset}`, names, of);
    expect(await ids("NE2 1XX")).toEqual(["a"]);
    expect(await ids("Jesmond")).toEqual([]);
    await builder.patch(`${datasetsPath}/${dataset}`, { nameProperties: [] }, of);
    expect(await ids("Jesmond")).toEqual(["a"]);
    await imported(the(), dataset, collection(feature(null, { name: "Elswick" }, "c")));
    expect(await ids("Elswick")).toEqual(["c"]);
    expect(await ids("Jesmond")).toEqual([]);
  });
});
