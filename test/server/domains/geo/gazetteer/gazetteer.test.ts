import { beforeAll, expect, test } from "vitest";
import { loadGazetteer, type Gazetteer } from "#server/domains/geo/gazetteer/gazetteer.ts";
import { seededRandom } from "../../../../../scripts/bench/geo/names.ts";

let gazetteer: Gazetteer;
beforeAll(async () => {
  const loaded = await loadGazetteer();
  if (loaded === undefined) throw new Error("no gazetteer");
  gazetteer = loaded;
});

test.each([
  [[-1.6, 54.97], "GB-NET GB.ENG GB"],
  [[2.35, 48.86], "FR-75 FR.11 FR"],
  [[151.77, -32.93], "AU-NSW AU"],
  [[-52.33, 4.93], "FR-GF GF"],
  [[178.44, -18.14], "FJ-C FJ"],
  [[0, -89.9], "AQ"],
  [[-30, 30], ""],
])("the areas at %j are %s", (point, codes) => {
  const [longitude = 0, latitude = 0] = point;
  const areas = gazetteer.areasAt([longitude, latitude]);
  expect(areas.map(({ code }) => code).join(" ")).toContain(codes);
});

test("the nearest place is found across the antimeridian", () => {
  const [nearest = 0] = gazetteer.nearest([-179.99, -16.8], 1);
  expect(gazetteer.countryCode(nearest)).toBe("FJ");
});

test("1,000 places are in the outlines of their country, but for coasts and borders", () => {
  const random = seededRandom(11);
  let right = 0;
  for (let count = 0; count < 1000;) {
    const entity = Math.floor(random() * gazetteer.size);
    if (gazetteer.kind(entity) !== "place") continue;
    count += 1;
    const country = gazetteer.areasAt(gazetteer.position(entity)).at(-1);
    if (country?.code === gazetteer.countryCode(entity)) right += 1;
  }
  expect(right).toBeGreaterThanOrEqual(970);
});

test("a second call returns the same gazetteer", async () => {
  expect(await loadGazetteer()).toBe(gazetteer);
});
