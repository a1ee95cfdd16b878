import { expect, test } from "vitest";
import {
  entryOf,
  searchedProperties,
  searchEntry,
  textsOf,
} from "#server/text/search/searched-texts.ts";

const properties = searchedProperties({
  title: { type: "string", searchable: true },
  secret: { type: "string" },
  site: { type: "object", properties: { street: { type: "string", searchable: true } } },
} as never);

test("searchable properties are found in any depth", () => {
  expect(properties.map(({ name }) => name)).toEqual(["title", "site.street"]);
  const data = { title: "e\u0301", secret: "x", site: { street: ["Main Street", 7] } };
  expect(textsOf(properties, data)).toEqual([
    { property: "title", text: "é" },
    { property: "site.street", text: "Main Street" },
    { property: "site.street", text: "7" },
  ]);
  expect(textsOf(properties, { title: { a: 1 }, site: "x" })).toEqual([]);
});

test("a record's texts are bounded", () => {
  const [first, second] = textsOf(properties, {
    title: "x".repeat(65_530),
    site: { street: ["1234567", "more"] },
  });
  expect([first?.text.length, second?.text]).toEqual([65_530, "123456"]);
});

test("an entry has distinct terms in order, and a checksum of them", () => {
  const entry = entryOf(["wall", "tower", "wall"]);
  expect(entry).toMatchObject({ terms: ["tower", "wall"], length: 3 });
  expect(entryOf(["tower", "wall"]).checksum).toBe(entry.checksum);
  expect(entryOf(["tower"]).checksum).not.toBe(entry.checksum);
  expect(entryOf(Array.from({ length: 5_000 }, (_, index) => `t${index}`)).terms).toHaveLength(
    4_000,
  );
  expect(searchEntry(properties, { title: "Walls" }).length).toBe(1);
});
