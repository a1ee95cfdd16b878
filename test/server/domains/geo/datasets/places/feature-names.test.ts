import { expect, test } from "vitest";
import { keysOf, namesOf } from "#server/domains/geo/datasets/places/feature-names.ts";

test.each([
  [{ label: "L", name: "N", title: "T" }, ["N", "T", "L"]],
  [{ NAME_LONG: "Long", "name:de": "Lang", NAME: " Short " }, ["Short", "Long", "Lang"]],
  [{ ward_name: "W", wardName: "V", LAD23NM: "U", NAMELSAD: "T" }, ["W", "V", "U", "T"]],
  [{ name: 5, named: "x", filename: "y", names: ["z"], nm: "short", description: "d" }, []],
  [{ name: "", title: "Same", label: "Same" }, ["Same"]],
])("names of %j", (properties, names) => {
  expect(namesOf(properties)).toEqual(names);
});

test("declared properties alone have names, also numbers", () => {
  const properties = { name: "Not this", ref: 2300, other: " Alias ", empty: "" };
  expect(namesOf(properties, ["ref", "other", "empty", "constructor"])).toEqual(["2300", "Alias"]);
});

test("keys are whole names and their words, without accents", () => {
  expect([...keysOf(["Glashütte Süd", "Dene"])]).toEqual([
    "=glashutte sud",
    "glashutte",
    "sud",
    "=dene",
    "dene",
  ]);
});
