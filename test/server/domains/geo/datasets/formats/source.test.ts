import { expect, test } from "vitest";
import { formatOf, reasonNotText } from "#server/domains/geo/datasets/formats/source.ts";

test.each([
  ['\uFEFF{"type":"FeatureCollection","features":[]}', "geojson"],
  ['{\n"type": "FeatureCollection" }', "geojson"],
  ['{"type":"Feature"}\n{"type":"Feature"}', "ndgeojson"],
  ['\u001E{"type":"Feature"}', "ndgeojson"],
  ["name,lon,lat\n", "csv"],
  ['<?xml version="1.0"?>\n<gpx version="1.1">', "gpx"],
  ['<kml xmlns="http://www.opengis.net/kml/2.2">', "kml"],
])("a file that begins with %j is %s", (text, format) => {
  expect(formatOf(Buffer.from(text))).toBe(format);
});

test.each([
  ["\u001F\u008B\u0008", "gzip"],
  ["PK\u0003\u0004", "KMZ"],
  ["SQLite format 3\0", "GeoPackage"],
  ["\0\0'\n", "shapefile"],
  ["\u00FF\u00FEn\0", "UTF-16"],
  ["PAR1\u0015", "Parquet"],
])("a file that begins with %j is no text: %s", (bytes, word) => {
  expect(reasonNotText(Buffer.from(bytes, "latin1"))).toContain(word);
});

test("a text may begin like the name of another format", () => {
  expect(reasonNotText(Buffer.from("PAR1,lon,lat\n"))).toBeUndefined();
});
