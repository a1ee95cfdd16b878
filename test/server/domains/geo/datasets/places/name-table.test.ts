import { expect, test } from "vitest";
import { NameTable, placesOfKey } from "#server/domains/geo/datasets/places/name-table.ts";

test("a table finds the places of a key, also after more were added", () => {
  const table = new NameTable();
  for (let place = 1; place <= 70_000; place += 1) table.add(`key ${place % 35_000}`, place);
  table.settle();
  expect(table.find("key 7", 10)).toEqual(expect.arrayContaining([7, 35_007]));
  table.add("key 7", 2 ** 26 - 1);
  table.settle();
  expect(table.find("key 7", 10)).toContain(2 ** 26 - 1);
  expect(table.find("key 7", 1)).toHaveLength(1);
  expect(table.size).toBe(70_001);
  expect(new NameTable().find("key 7", 10)).toEqual([]);
});

test("a word that most names have takes a bounded part, and no place of a rarer one", () => {
  const table = new NameTable();
  const count = 60_000;
  for (let place = 1; place <= count; place += 1) {
    for (const key of ["road", `number ${place}`]) table.add(key, place);
  }
  table.settle();
  expect(table.size).toBeLessThan(count + 2 * placesOfKey + 1);
  expect(table.find("road", placesOfKey)).toHaveLength(placesOfKey);
  const lost = Array.from({ length: count }, (_each, at) => at + 1).filter(
    (place) => !table.find(`number ${place}`, 100).includes(place),
  );
  expect(lost).toEqual([]);
});
