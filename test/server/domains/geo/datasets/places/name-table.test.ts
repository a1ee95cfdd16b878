import { expect, test } from "vitest";
import { NameTable } from "#server/domains/geo/datasets/places/name-table.ts";

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
