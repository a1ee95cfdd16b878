import { expect, test } from "vitest";
import { functionWordsOf, isFunctionWord } from "#server/text/terms/function-words.ts";

test("the words of questions are known in several scripts", () => {
  const words = {
    de: "wie",
    es: "cuándo",
    ru: "сколько",
    tr: "nerede",
    zh: "什么",
    ar: "متى",
  } as const;
  for (const [language, word] of Object.entries(words)) {
    const all = functionWordsOf(language as keyof typeof words).split(" ");
    expect(all).toContain(word);
    expect(all).not.toContain("");
  }
});

test("a word of questions is known without accents, where texts are of its language", () => {
  expect(isFunctionWord("wann", ["de"])).toBe(true);
  expect(isFunctionWord("wann", ["en"])).toBe(false);
  expect(isFunctionWord("kac", ["en", "tr"])).toBe(true);
  expect(isFunctionWord("какои", [])).toBe(true);
  expect(isFunctionWord("wand", ["de"])).toBe(false);
});
