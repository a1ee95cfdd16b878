import { expect, test } from "vitest";
import { endWeight, formWeight } from "#server/text/search/word-forms.ts";

test.each([
  ["genehmigung", "genehmigungen"],
  ["решение", "решения"],
  ["belediye", "belediyesi"],
  ["applic", "applicant"],
])("%s and %s are forms of one word, which count a little less than the word", (asked, word) => {
  expect(formWeight(asked, asked)).toBe(1);
  expect(formWeight(asked, word)).toBe(0.7);
  expect(formWeight(word, asked)).toBe(0.7);
});

test.each([
  ["wall", "war"],
  ["plan", "planetarium"],
  ["pa-2026-0042", "pa-2026-0043"],
  ["20261", "20262"],
  ["池", "池袋"],
])("%s and %s are different words", (asked, word) => {
  expect(formWeight(asked, word)).toBe(0);
});

test("a word that begins a compound counts by half", () => {
  expect(formWeight("vermessungskosten", "vermessung")).toBe(0.5);
});

test("a word that ends a compound counts by half, in both directions", () => {
  expect(endWeight("touristenstrecken", "strecken")).toBe(0.5);
  expect(endWeight("strecken", "touristenstrecken")).toBe(0.5);
  expect(endWeight("touristenstrecken", "decken")).toBe(0);
  expect(endWeight("wohnort", "ort")).toBe(0);
});

test.each([
  ["alter", "schalter"],
  ["acker", "tacker"],
  ["recht", "gerecht"],
  ["reise", "preise"],
  ["mieterin", "vermieterin"],
  ["raucher", "nichtraucher"],
  ["geeignet", "ungeeignet"],
  ["stand", "verstand"],
])("%s is no part of a compound in %s", (end, word) => {
  expect(endWeight(end, word)).toBe(0);
  expect(endWeight(word, end)).toBe(0);
});

test("a short word begins a compound too", () => {
  expect(endWeight("genehmigung", "baugenehmigung")).toBe(0.5);
  expect(endWeight("stellen", "haltestellen")).toBe(0.5);
});
