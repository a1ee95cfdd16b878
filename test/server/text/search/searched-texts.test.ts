import { expect, test } from "vitest";
import {
  entryOf,
  notedWords,
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
  const entry = entryOf(["wall tower", "wall"]);
  expect(entry).toMatchObject({ terms: ["tower", "wall"], length: 3 });
  expect(entryOf(["tower wall"]).checksum).toBe(entry.checksum);
  expect(entryOf(["tower"]).checksum).not.toBe(entry.checksum);
  const many = Array.from({ length: 7_000 }, (_, index) => `t${index}`).join(" ");
  expect(entryOf([many])).toMatchObject({ length: 7_000, terms: { length: 6_000 } });
  expect(searchEntry(properties, { title: "Walls" }).length).toBe(1);
});

test("an entry has the forms of its words in the language of each text", () => {
  const german = "Die Wohnungen wurden nach der Genehmigung gebaut, und das Dach ist neu.";
  const entry = entryOf([german, "Organised connections"], [{ forms: ["pa-1-22", "pa122"] }]);
  expect(entry.terms).toEqual(
    expect.arrayContaining(["wohnungen", "wohnung", "organised", "organ", "connect", "pa122"]),
  );
  expect(entry.words).toEqual(expect.arrayContaining(["wohnungen", "organised", "connections"]));
  expect(entry.words).not.toContain("wohnung");
  expect(entry.languages).toEqual(["de"]);
});

test("the words of an erased text are also those that an earlier build stored", () => {
  expect([...notedWords("Whitakers planned")].toSorted()).toEqual([
    "plan",
    "planned",
    "whitaker",
    "whitakers",
  ]);
});
