import { expect, test } from "vitest";
import { suggestedQuestions } from "#ui/chat/questions.ts";

test("a question is about a date or an amount that was found, else about the document", () => {
  const documents = [
    {
      documentId: "1",
      filename: "plans.pdf",
      fields: { reference: { value: "PA 1" }, decisionDate: { value: "2026-12-14" } },
    },
    { documentId: "2", filename: "letter.txt", fields: { reference: { value: null } } },
    { documentId: "3", filename: "scan.png", pages: 0 },
  ];
  expect(suggestedQuestions(documents).map(({ text }) => text)).toEqual([
    "Find the decision date in plans.pdf",
    "Which points does letter.txt make?",
  ]);
});
