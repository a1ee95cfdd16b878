import { expect, test } from "vitest";
import { formatOf } from "#server/domains/geo/datasets/formats/source.ts";

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
