import { expect, test } from "vitest";
import { pointIn } from "#server/domains/geo/notations.ts";

const greenwich = [-0.0013888889, 51.4777777778];

test.each([
  ["51.5,-0.12", "decimal", [-0.12, 51.5]],
  ["51.5 ; -0.12", "decimal", [-0.12, 51.5]],
  ["51.5 -0.12", "decimal", [-0.12, 51.5]],
  ["(51.5, \u22120.12)", "decimal", [-0.12, 51.5]],
  ["[51.5 -0.12]", "decimal", [-0.12, 51.5]],
  ["51,5 -0,12", "decimal", [-0.12, 51.5]],
  ["51,5; -0,12", "decimal", [-0.12, 51.5]],
  ["33U 391544 5820148", "utm", [13.4, 52.52]],
  ["33u 391544 mE, 5820148 mN", "utm", [13.4, 52.52]],
  ["56H 334873 6252266", "utm", [151.21, -33.86]],
  ["geo:48.2,16.37;u=35", "geo-uri", [16.37, 48.2]],
  ["GEO:48.2010,16.3695,183;crs=WGS84", "geo-uri", [16.3695, 48.201]],
  ["geo:90,45", "geo-uri", [0, 90]],
  ["51°28′40″N 0°0′5″W", "degrees", greenwich],
  [`51° 28' 40" N, 0° 0' 5" W`, "degrees", greenwich],
  ["N51°28′40″ W0°0′5″", "degrees", greenwich],
  ["0°0′5″W 51°28′40″N", "degrees", greenwich],
  ["51 28 40 N, 0 0 5 W", "degrees", greenwich],
  ["51:28:40N 0:0:5W", "degrees", greenwich],
  ["51°28.6667′N 0°0.0833′W", "degrees", greenwich],
  ["51.47778°N, 0.00139°W", "degrees", greenwich],
  ["33.8688 S 151.2093 E", "degrees", [151.2093, -33.8688]],
  ["-33.8688°, 151.2093°", "degrees", [151.2093, -33.8688]],
  ["TQ 38876 77320", "os-grid", [-0.0014, 51.4778]],
  ["TQ388773", "os-grid", [-0.0025, 51.4777]],
  ["31U DQ 48251 11932", "mgrs", [2.2945, 48.8582]],
  ["31UDQ4825111932", "mgrs", [2.2945, 48.8582]],
  ["geohash:u09tunquc", "geohash", [2.2945, 48.8582]],
  ["gcpuzg7e2", "geohash", [-0.0014, 51.4778]],
])("%s is a point in the notation %s", (text, notation, [longitude = 0, latitude = 0]) => {
  const found = pointIn(` ${text} `);
  expect(found?.notation).toBe(notation);
  expect(found?.degrees[0]).toBeCloseTo(longitude, 2);
  expect(found?.degrees[1]).toBeCloseTo(latitude, 2);
});

test.each([
  "91, 0",
  "0; 181",
  "12 Quay Street",
  "12 34",
  "51.5, -0.12, 3",
  "51°61′N 0°0′W",
  "51°N 0°N",
  "51 28, 0 5",
  "geo:48.2,16.37;crs=nad27",
  "TQ 123",
  "ZZ 1234 5678",
  "Newcastle",
  "2300",
  "SE1 9GS",
])("%s is not a point", (text) => {
  expect(pointIn(text)).toBeUndefined();
});

test("a bare geohash is not sure, because it can be another code", () => {
  expect(pointIn("gcpuzg7e2")?.isSure).toBe(false);
  expect(pointIn("geohash:gcpuzg7e2")?.isSure).toBe(true);
});
