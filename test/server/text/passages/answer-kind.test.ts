import { expect, test } from "vitest";
import { answerKind } from "#server/text/passages/answer-kind.ts";

test.each([
  ["When is it due?", "on 18 December", true],
  ["How much is the fee?", "it is £293", true],
  ["How much is the fee?", "it is small", false],
  ["Who signed it?", "Elin Marsh", true],
  ["In what year was it built?", "built in 1822", true],
  ["Wie viele Linden stehen dort?", "dort stehen zwei alte Linden", true],
  ["¿Cuándo se aprobó?", "el 3 de marzo de 2026", true],
  ["Сколько деревьев растёт?", "растут две липы", true],
  ["Сколько деревьев растёт?", "растут липы", false],
  ["Kaç ağaç var?", "iki ağaç", true],
  ["Onu kim onayladı?", "Ayşe Demir onayladı", true],
  ["项目有多少棵树？", "有三棵树", true],
  ["كم عدد الأشجار؟", "سبعة أشجار", true],
  ["متى صدر القرار؟", "في مارس", true],
])("%s wants an answer such as %s: %s", (question, answer, expected) => {
  expect(answerKind(question)?.test(answer)).toBe(expected);
});

test("other questions want no kind of answer", () => {
  expect(answerKind("Is there a hedge?")).toBeNull();
});
