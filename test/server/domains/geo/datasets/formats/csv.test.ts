import { expect, test } from "vitest";
import { csvFeatures } from "#server/domains/geo/datasets/formats/csv.ts";
import { allOf, chunked } from "./chunked.ts";

const read = (text: string, size = 1_000, options = {}) =>
  allOf(csvFeatures(chunked(text, size), options));
const at = (x: number, y: number) => ({ type: "Point", coordinates: [x, y] });

test.each([1, 10, 1_000])("rows are read in chunks of %i bytes", async (size) => {
  const text = 'Name,Lat,Lon,id\r\n"Smith, J.\nand ""co""",-37.8,144.9,007\r\nÆrø,54.9,10.4,8\r\n';
  expect(await read(text, size)).toEqual([
    {
      id: "007",
      geometry: at(144.9, -37.8),
      properties: { Name: 'Smith, J.\nand "co"', id: "007" },
    },
    { id: "8", geometry: at(10.4, 54.9), properties: { Name: "Ærø", id: "8" } },
  ]);
});

test("columns are named by options, and a geometry may be WKT or missing", async () => {
  const text = "key;shape\na;SRID=4326;POINT (1 2)\n";
  expect(
    await read("key|shape\na|SRID=4326;POINT (1 2)\nb|\nc|POINT 1\n", 7, {
      id: "key",
      wkt: "shape",
    }),
  ).toEqual([
    { id: "a", geometry: at(1, 2), properties: { key: "a" } },
    { id: "b", geometry: null, properties: { key: "b" } },
    { fault: "has no valid WKT" },
  ]);
  expect(await read(text, 7, { wkt: "shape" })).toEqual([
    { fault: "has 3 columns; the header has 2" },
  ]);
});

test("a row without numbers has a reason", async () => {
  expect(await read("lon,lat\n1,\nx,2\n,\n")).toEqual([
    { fault: "has no numbers as its longitude and latitude" },
    { fault: "has no numbers as its longitude and latitude" },
    { id: undefined, geometry: null, properties: {} },
  ]);
});

test.each([
  ["", "The file has no header"],
  ["lon,lat,lon\n", 'The column "lon" is given twice'],
  ["a,b\n", "no columns longitude and latitude"],
])("the header %j is refused", async (text, reason) => {
  await expect(read(text)).rejects.toThrow(reason);
});

test("a quoted cell that does not end is not parsed again with each chunk", async () => {
  const text = `lon,lat\n"${"1\n".repeat(150_000)}`;
  // Parsing it with each of the chunks takes minutes.
  expect(await read(text, 1)).toEqual([{ fault: "has 1 columns; the header has 2" }]);
});

test("a row without an end is refused, not kept", async () => {
  const reading = csvFeatures(chunked("x".repeat(9_000), 1_000), {}, 5_000);
  await expect(allOf(reading)).rejects.toThrow("A row is too long");
});

test("tables of German and French programs are read: semicolons, decimal commas, a line sep=", async () => {
  const text = 'sep=;\r\nOrt;Lon;Lat\r\n"Köln; Dom";6,958;50,941\r\n';
  expect(await read(text, 7)).toMatchObject([
    { geometry: at(6.958, 50.941), properties: { Ort: "Köln; Dom" } },
  ]);
  expect(await read('lon,lat\n"6,5",\u22121.25e1\n')).toMatchObject([{ geometry: at(6.5, -12.5) }]);
  expect(await read("lon,lat\n0x10,1\n")).toEqual([
    { fault: "has no numbers as its longitude and latitude" },
  ]);
});

test("a column of geometries may have GeoJSON", async () => {
  const text = 'geom\n"{""type"":""Point"",""coordinates"":[1,2]}"\n{\n';
  expect(await read(text)).toMatchObject([
    { geometry: at(1, 2) },
    { fault: "has no valid GeoJSON" },
  ]);
});
