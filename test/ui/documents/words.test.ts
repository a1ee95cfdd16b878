import { expect, test } from "vitest";
import type { DocumentRecord } from "#client/index.ts";
import { documentLines } from "#ui/documents/words.ts";

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
