import { expect, test } from "vitest";
import { answerKind } from "#server/text/passages/answer-kind.ts";

test.each([
  ["When is it due?", "on 18 December", true],
  ["How much is the fee?", "it is £293", true],
  ["How much is the fee?", "it is small", false],
  ["Who signed it?", "Elin Marsh", true],
])("%s wants an answer such as %s: %s", (question, answer, expected) => {
  expect(answerKind(question)?.test(answer)).toBe(expected);
});

test("other questions want no kind of answer", () => {
  expect(answerKind("Is there a hedge?")).toBeNull();
});
