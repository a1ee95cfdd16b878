import { expect, test } from "vitest";
import type { DocumentRecord } from "#client/index.ts";
import { documentColumns, documentLines } from "#ui/documents/words.ts";

test("a document shows its class and fields with their confidence", () => {
  const document: DocumentRecord = {
    documentId: "d",
    status: "ready",
    classification: { label: "letter", confidence: 0.5 },
    fields: { date: { value: "2026-01-01", confidence: 0.9, page: 2, method: "pattern" } },
  };
  const lines = documentLines(document, 70, String).map((line) =>
    line
      .map((span) => span.text)
      .join("")
      .trimEnd(),
  );
  expect(lines).toContain("class   letter 50 %");
  expect(lines).toContain("date  2026-01-01  (90 %, p. 2, pattern)");
});

test("a document shows its candidates as bars, and the quotes of its fields", () => {
  const document: DocumentRecord = {
    documentId: "d",
    status: "ready",
    classification: {
      label: "needs-review",
      confidence: 0.4,
      candidates: [
        { label: "letter", confidence: 0.4 },
        { label: "invoice", confidence: 0.2 },
      ],
      classifier: "papers",
      modelVersion: 3,
      method: "none",
    },
    fields: {
      due: { value: "2026-06-02", confidence: 0.92, page: 1, quote: "2 June 2026" },
      total: { value: "GBP 30.00", confidence: 0.6, threshold: 0.9, page: 2, method: "form" },
      buyer: { value: null, confidence: 0, threshold: 0.5, method: "none" },
    },
  };
  const lines = documentLines(document, 70, String).map((line) =>
    line
      .map((span) => span.text)
      .join("")
      .trimEnd(),
  );
  expect(lines).toContain("candidates  ████░░░░░░  40 %  letter");
  expect(lines).toContain("            ██░░░░░░░░  20 %  invoice");
  expect(lines).toContain("by          papers model 3  none");
  expect(lines).toContain("due    2026-06-02  (92 %, p. 1)");
  expect(lines).toContain("       “2 June 2026”");
  expect(lines).toContain("total  £30.00  (60 %, p. 2, form, to review)");
  expect(lines).toContain("buyer  missing  (none, to review)");
});

test("a document names what it belongs to, and its share before its label", () => {
  const document: DocumentRecord = {
    documentId: "d",
    classification: { label: "consultation-response", confidence: 0.97 },
    context: { planning_application_id: "PA-1", stage: "intake" },
  };
  const text = documentLines(document, 90, String)
    .map((line) => line.map((span) => span.text).join(""))
    .join("\n");
  expect(text).toContain("planning_application_id PA-1, stage intake");
  const label = documentColumns(0).find(({ id }) => id === "classification");
  expect(label?.value(document)).toBe(" 97 % consultation-response");
});
