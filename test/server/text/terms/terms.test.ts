import { expect, test } from "vitest";
import { findTerms, isSpelt } from "#server/text/terms/terms.ts";

test("the terms of a text are its words without stop words", () => {
  const found = findTerms("The hedges, by PA-2026-0042").map(({ term, start }) => [term, start]);
  expect(found).toEqual([
    ["hedg", 4],
    ["pa-2026-0042", 15],
  ]);
});

test("numbers and references are not spelling mistakes", () => {
  const words = ["hedg", "été", "ab", "2026", "pa-2026-0042", "b2b"];
  expect(words.filter(isSpelt)).toEqual(["hedg", "été"]);
  expect(isSpelt("हिन्दी")).toBe(true);
});
