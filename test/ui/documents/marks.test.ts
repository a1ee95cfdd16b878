import { expect, test } from "vitest";
import type { DocumentRecord } from "#client/index.ts";
import { foundWords, marksOf } from "#ui/documents/marks.ts";

const candidates = [
  { label: "letter", confidence: 0.44 },
  { label: "report", confidence: 0.3 },
];

function labelOf(classification: DocumentRecord["classification"]) {
  const [label] = marksOf({ documentId: "d", classification }, undefined);
  return label;
}

test("a number has its thousands for a reader, and stays as it is for its place in the text", () => {
  const fields = {
    total: { value: 1234567.5 },
    year: { value: 2026 },
    number: { value: "1234567" },
    none: { value: null },
  };
  const [, ...marks] = marksOf({ documentId: "d", fields }, undefined);
  expect(marks.map(({ shown }) => shown)).toEqual(["1,234,567.5", "2026", "1234567", "missing"]);
  expect(marks.map(({ value }) => value)).toEqual(["1234567.5", "2026", "1234567", "missing"]);
});

test.each([
  ["GBP 1751.50", "£1,751.50"],
  ["EUR -1250000.00", "-€1,250,000.00"],
  ["JPY 120000.00", "¥120,000"],
  ["JPY 120000.50", "JPY 120000.50"],
  ["GBP 12345678901234567.89", "GBP 12345678901234567.89"],
  ["ref 12000", "ref 12000"],
  [12400, "12,400"],
])("the found value %s is shown as %s", (value, words) => {
  expect(foundWords(value)).toBe(words);
});

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
