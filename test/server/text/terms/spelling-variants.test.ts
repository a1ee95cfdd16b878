import { expect, test } from "vitest";
import { oneSpelling } from "#server/text/terms/spelling-variants.ts";
import { stemsOf } from "#server/text/terms/stems.ts";

test.each([
  ["organisation", "organizations"],
  ["analysed", "analyzing"],
  ["neighbours", "neighbor"],
  ["licence", "licensed"],
  ["centres", "center"],
  ["catalogue", "catalogs"],
  ["programmes", "program"],
  ["fulfilment", "fulfillment"],
  ["cancelled", "canceled"],
])("%s and %s are forms of one word", (british, american) => {
  expect(stemsOf(british, ["en"])).toEqual(stemsOf(american, ["en"]));
});

test("words with one spelling stay apart", () => {
  for (const word of ["hour", "four", "raise", "prise", "storey", "tire"]) {
    expect(oneSpelling(word)).toBe(word);
  }
});
