import { describe, expect, test } from "vitest";
import { findNameTerms, indexTerms, isSpelt, queryTerms } from "#server/text/terms/terms.ts";

describe("the words of a text", () => {
  test.each([
    ["Planned extensions", ["plan", "extension"]],
    ["Résumés of JOSÉ", ["resum", "of", "jose"]],
    ["PA-2026-0042", ["pa-2026-0042", "pa", "2026", "0042"]],
    ["well-kept hedge", ["well", "kept", "hedg"]],
    ["1,200.50 pounds", ["1", "200", "50", "pound"]],
    ["?! … —", []],
    ["x".repeat(65), []],
    ["東京都と京", ["東京", "東", "京", "都", "と", "京"]],
    ["桜通り", ["桜通り", "桜", "桜通", "通", "通り"]],
    ["データ２", ["データ", "デ", "デー", "タ", "2"]],
    ["हिन्दी में", ["हिन्दी", "में"]],
    ["שָׁלוֹם 1️⃣", ["שלום", "1"]],
    ["อ่านที่", ["อ่าน", "ที่"]],
  ])("%s", (text, terms) => {
    expect(indexTerms(text).map(({ term }) => term)).toEqual(terms);
  });

  test("have their offsets", () => {
    const text = "A hedge, PA-1-23!";
    const found = indexTerms(text).map(({ term, start, end }) => [term, text.slice(start, end)]);
    expect(found).toEqual([
      ["a", "A"],
      ["hedg", "hedge"],
      ["pa-1-23", "PA-1-23"],
      ["pa", "PA-1-23"],
      ["1", "PA-1-23"],
      ["23", "PA-1-23"],
    ]);
  });

  test("include stop words only in short texts", () => {
    expect(indexTerms("The Who").map(({ term }) => term)).toEqual(["the", "who"]);
    const long = `The hedge ${"and the wall ".repeat(5)}`;
    expect(new Set(indexTerms(long).map(({ term }) => term))).toEqual(new Set(["hedg", "wall"]));
  });
});

test("a query's terms are distinct, and stop words count only alone", () => {
  expect(queryTerms("the hedges by the hedge")).toEqual(["hedg"]);
  expect(queryTerms("the who")).toEqual(["the", "who"]);
  expect(queryTerms("桜通りの桜")).toEqual(["桜通り", "桜"]);
  expect(queryTerms(Array.from({ length: 40 }, (_, at) => `word${at}`).join(" "))).toHaveLength(16);
});

test.each(["minutes-2026.pdf", "planning-statement-for-18-quay-street-2026-11.pdf"])(
  "the name %s has its parts, and the terms of a query with it or without its ending",
  (name) => {
    const terms = findNameTerms(name);
    for (const query of [name, name.replace(".pdf", ""), "2026", "pdf"]) {
      expect(queryTerms(query).filter((term) => !terms.has(term))).toEqual([]);
    }
  },
);

test("numbers and references are not spelling mistakes", () => {
  const words = ["hedg", "été", "ab", "2026", "pa-2026-0042", "b2b"];
  expect(words.filter(isSpelt)).toEqual(["hedg", "été"]);
  expect(isSpelt("हिन्दी")).toBe(true);
});
