import { expect, test } from "vitest";
import { functionWordsOfAll } from "#server/text/terms/function-words.ts";

test("the words of questions are known in several scripts", () => {
  const words = new Set(functionWordsOfAll().split(" "));
  for (const word of ["wie", "cuándo", "сколько", "nerede", "什么", "متى"]) {
    expect(words.has(word)).toBe(true);
  }
  expect(words.has("")).toBe(false);
});
