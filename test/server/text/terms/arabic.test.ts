import { expect, test } from "vitest";
import { lightArabicStem } from "#server/text/terms/arabic.ts";

test.each([
  ["كتاب", "كتاب"],
  ["الكتاب", "كتاب"],
  ["والكتاب", "كتاب"],
  ["وكتابها", "كتاب"],
  ["للمدينة", "مدين"],
  ["مدينته", "مدينت"],
  ["مـديـنة", "مدين"],
  ["أحمد", "احمد"],
  ["ورق", "ورق"],
])("%s has the light stem %s", (word, stem) => {
  expect(lightArabicStem(word)).toBe(stem);
});
