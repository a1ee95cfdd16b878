import { expect, test } from "vitest";
import { nameKey } from "#server/domains/geo/gazetteer/name-key.ts";

test.each([
  ["São Paulo", "sao paulo"],
  ["St. John's", "st johns"],
  ["Saint-Étienne", "saint etienne"],
  ["Weißenfels", "weissenfels"],
  ["Łódź", "lodz"],
  ["Þórshöfn", "thorshofn"],
  ["Zürich (Kreis 8)", "zurich kreis 8"],
  ["  Москва ", "москва"],
  ["東京", "東京"],
  ["--", ""],
])("%s is compared as %s", (name, key) => {
  expect(nameKey(name)).toBe(key);
});
