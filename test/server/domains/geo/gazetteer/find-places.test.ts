import { beforeAll, describe, expect, test } from "vitest";
import { findPlaces } from "#server/domains/geo/gazetteer/find-places.ts";
import { loadGazetteer, type Gazetteer } from "#server/domains/geo/gazetteer/gazetteer.ts";
import {
  placesByName,
  seededRandom,
  withTypingError,
} from "../../../../../scripts/bench/geo/names.ts";

let gazetteer: Gazetteer;
beforeAll(async () => {
  const loaded = await loadGazetteer();
  if (loaded === undefined) throw new Error("no gazetteer");
  gazetteer = loaded;
});

/** The best place as text: its name, kind and areas. */
function best(query: string, near?: readonly [number, number]): string {
  const [first] = findPlaces(gazetteer, query, { near, limit: 10 });
  if (first === undefined) return "";
  const areas = gazetteer.areasOf(first.entity).map(({ name }) => name);
  return [`${gazetteer.name(first.entity)} (${gazetteer.kind(first.entity)})`, ...areas].join(", ");
}

test.each([
  [
    "Newcastle upon Tyne",
    "Newcastle upon Tyne (place), Newcastle upon Tyne, England, United Kingdom",
  ],
  ["Newcastle, NSW", "Newcastle (place), New South Wales, Australia"],
  ["Newcastle NSW 2300", "Newcastle (place), New South Wales, Australia"],
  ["12 King Street, Newcastle NSW 2300", "Newcastle (place), New South Wales, Australia"],
  ["Cooks Hill, Newcastle", "Cooks Hill (place), New South Wales, Australia"],
  ["2300", "2300 (postcode), New South Wales, Australia"],
  ["NSW", "New South Wales (area), Australia"],
  ["Springfield, Illinois", "Springfield (place), Illinois, United States of America"],
  ["Paris, Texas", "Paris (place), Texas, United States of America"],
  ["Paris", "Paris (place), Paris, Île-de-France, France"],
  ["Bath, Somerset", "Bath (place), Bath and North East Somerset, England, United Kingdom"],
  ["Lyon", "Lyon (place), Rhône, Auvergne-Rhône-Alpes, France"],
  ["München", "Munich (place), Bavaria, Germany"],
  ["Москва", "Moscow (place), Moscow, Russian Federation"],
  ["東京", "Tokyo (place), Tokyo, Japan"],
  ["Allemagne", "Germany (country)"],
  ["Großbritannien", "United Kingdom (country)"],
  ["DEU", "Germany (country)"],
  ["Untied Kingdom", "United Kingdom (country)"],
  ["Melborne", "Melbourne (place), Victoria, Australia"],
  ["Liverpoool, Englnad", "Liverpool (place), Liverpool, England, United Kingdom"],
  ["qqqqwwwwzzzz", ""],
  ["!!!", ""],
])("%s is %s", (query, expected) => {
  expect(best(query)).toBe(expected);
});

describe("a name that several places share", () => {
  test("has several candidates, none of them sure", () => {
    const found = findPlaces(gazetteer, "Springfield", { limit: 10 });
    expect(found).toHaveLength(10);
    expect(found[0]?.confidence).toBeLessThan(0.7);
  });

  test("means the place near a point", () => {
    expect(best("Newcastle", [151.7, -32.9])).toBe("Newcastle (place), New South Wales, Australia");
    expect(best("Newcastle", [29.9, -27.7])).toContain("South Africa");
  });
});

describe("of 1,000 names in the gazetteer", () => {
  const random = seededRandom(7);
  const share = (all: readonly number[], isRight: (entity: number) => boolean): number => {
    let right = 0;
    for (let count = 0; count < 1000; count += 1) {
      if (isRight(all[Math.floor(random() * all.length)] ?? 0)) right += 1;
    }
    return right / 1000;
  };

  test("at least 950 are found in spite of a typing error", () => {
    const { unique } = placesByName(gazetteer);
    const right = share(unique, (entity) => {
      const query = withTypingError(gazetteer.name(entity), random);
      return findPlaces(gazetteer, query, { limit: 5 })[0]?.entity === entity;
    });
    expect(right).toBeGreaterThanOrEqual(0.95);
  });

  test("at least 950 that others share are found near a point", () => {
    const { shared } = placesByName(gazetteer);
    const right = share(shared, (entity) => {
      const [longitude, latitude] = gazetteer.position(entity);
      const near = [longitude + 0.03, latitude - 0.03] as const;
      const query = gazetteer.name(entity);
      return findPlaces(gazetteer, query, { near, limit: 5 })[0]?.entity === entity;
    });
    expect(right).toBeGreaterThanOrEqual(0.95);
  });
});
