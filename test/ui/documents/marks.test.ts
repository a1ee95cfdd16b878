import { expect, test } from "vitest";
import type { DocumentRecord } from "#client/index.ts";
import { marksOf } from "#ui/documents/marks.ts";

const candidates = [
  { label: "letter", confidence: 0.44 },
  { label: "report", confidence: 0.3 },
];

function labelOf(classification: DocumentRecord["classification"]) {
  const [label] = marksOf({ documentId: "d", classification }, undefined);
  return label;
}

test("a label below its threshold is the best candidate, to review", () => {
  const unsure = { label: "needs-review", confidence: 0.44, threshold: 0.5, candidates };
  expect(labelOf(unsure)).toMatchObject({ value: "letter", confidence: 0.44, isOpen: true });
});

test("a corrected label is the user's, not the classifier's best candidate", () => {
  const corrected = { label: "correspondence", confidence: 1, candidates, method: "review" };
  expect(labelOf(corrected)).toMatchObject({
    value: "correspondence",
    confidence: undefined,
    isOpen: false,
    isReviewed: true,
  });
});
