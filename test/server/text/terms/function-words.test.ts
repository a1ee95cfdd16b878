import { expect, test } from "vitest";
import { functionWordsOfAll, isFunctionWord } from "#server/text/terms/function-words.ts";

test("the words of questions are known in several scripts", () => {
  const words = new Set(functionWordsOfAll().split(" "));
  for (const word of ["wie", "cuándo", "сколько", "nerede", "什么", "متى"]) {
    expect(words.has(word)).toBe(true);
  }
  expect(words.has("")).toBe(false);
});

test("a word of questions is known without accents, where texts are of its language", () => {
  expect(isFunctionWord("wann", ["de"])).toBe(true);
  expect(isFunctionWord("wann", ["en"])).toBe(false);
  expect(isFunctionWord("kac", ["en", "tr"])).toBe(true);
  expect(isFunctionWord("какои", [])).toBe(true);
  expect(isFunctionWord("wand", ["de"])).toBe(false);
});
