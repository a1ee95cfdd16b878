import { expect, test } from "vitest";
import { NameIndex } from "#server/domains/geo/gazetteer/name-index.ts";

const keys = ["", "bath", "bath", "bathurst", "ulm", "東京"];
const index = new NameIndex(new TextEncoder().encode(keys.join("\n")), keys.length);

test.each([
  ["bath", { from: 1, to: 3 }],
  ["bathurst", { from: 3, to: 4 }],
  ["ulm", { from: 4, to: 5 }],
  ["東京", { from: 5, to: 6 }],
  ["", { from: 0, to: 1 }],
  ["bat", undefined],
  ["baths", undefined],
])("the rows of %j are %j", (key, rows) => {
  expect(index.find(key)).toEqual(rows);
});
