import { describe, expect, test } from "vitest";
import { geojsonFeatures } from "#server/domains/geo/datasets/formats/geojson.ts";
import { allOf, chunked } from "./chunked.ts";

const geometry = { type: "Point", coordinates: [1, 2] };
const features = [
  {
    type: "Feature",
    id: 7,
    properties: { name: 'a "quoted" ]}, text', nested: { list: [[]] } },
    geometry,
  },
  { type: "Feature", properties: null, geometry: null },
  { type: "Feature", id: "ø", properties: { name: "Ærø 🚲" }, geometry },
];
const read = (text: string, size: number, options = {}) =>
  allOf(geojsonFeatures(chunked(text, size), options));

describe("GeoJSON", () => {
  test.each([1, 2, 7, 64, 100_000])("is read in chunks of %i bytes", async (size) => {
    const text = JSON.stringify(
      { name: "x", features, bbox: [0, 0, 1, 1], type: "FeatureCollection" },
      null,
      1,
    );
    expect(await read(text, size)).toEqual([
      { id: "7", geometry, properties: features[0]?.properties },
      { id: undefined, geometry: null, properties: {} },
      { id: "ø", geometry, properties: { name: "Ærø 🚲" } },
    ]);
  });

  test("may be one Feature or a geometry", async () => {
    expect(await read(JSON.stringify(features[0]), 9)).toMatchObject([{ id: "7", geometry }]);
    expect(await read(JSON.stringify(geometry), 9)).toMatchObject([{ id: undefined, geometry }]);
  });

  test("takes ids from a property", async () => {
    const text = JSON.stringify({
      type: "FeatureCollection",
      features: [{ type: "Feature", geometry, properties: { code: 12 } }],
    });
    expect(await read(text, 50, { id: "code" })).toMatchObject([{ id: "12" }]);
  });

  test.each([
    ['{"type":"FeatureCollection","features":[{]}', "The file ends too early"],
    ['{"type":"FeatureCollection","features":[{}', "The file ends too early"],
    ['{"type":"FeatureCollection","features":[null]}', "not an object"],
    ['{"type":"Collection","features":[{"type":"Feature"}]}', "is not FeatureCollection"],
    ["[1]", "not an object of GeoJSON"],
  ])("such as %s is refused as a whole", async (text, reason) => {
    await expect(read(text, 5)).rejects.toThrow(reason);
  });

  test.each([
    ['{"type":"Feature","geometry":null,"properties":3}', "must have an object or null"],
    ['{"type":"Feature","properties":{}}', "has no geometry"],
    ['{"type":"Point"}', "must be a Feature"],
    ['{"type":"Feature","geometry":null,"id":[1]}', "must have a text or a number as its id"],
    ["{'type':1}", "is not JSON"],
  ])("has a reason for the feature %s", async (feature, reason) => {
    const [first] = await read(`{"type":"FeatureCollection","features":[${feature}]}`, 11);
    expect(first?.fault).toContain(reason);
  });
});

test.each([3, 1_000])("texts after each other are read in chunks of %i bytes", async (size) => {
  const [first, ...others] = features;
  const collection = { type: "FeatureCollection", features: others };
  const text = `\uFEFF${JSON.stringify(first, null, 1)}\u001E${JSON.stringify(collection)}\n`;
  expect(await read(text, size)).toMatchObject([{ id: "7" }, { geometry: null }, { id: "ø" }]);
  await expect(read(`${text}x`, size)).rejects.toThrow("The file is not JSON");
  await expect(read(" ", size)).rejects.toThrow("The file is empty");
});

test.each([
  ["urn:ogc:def:crs:OGC:1.3:CRS84", undefined],
  ["EPSG:4326", undefined],
  ["urn:ogc:def:crs:EPSG::3857", "not WGS 84"],
])("the system %s", async (name, reason) => {
  const crs = { type: "name", properties: { name } };
  const text = JSON.stringify({ type: "FeatureCollection", crs, features });
  const reading = read(text, 100);
  if (reason === undefined) expect(await reading).toHaveLength(3);
  else await expect(reading).rejects.toThrow(reason);
});
