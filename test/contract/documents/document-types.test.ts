import { expect, test } from "vitest";
import { analyzerDefinition, documentTypeDefinition } from "#contract/documents/document-types.ts";

const field = { rules: [{ method: "label-value", labels: ["Ref"] }] };
const analyzer = { displayName: "Plans", fields: { ref: field } };

test.each([
  [{}, true],
  [{ fields: { "1x": field } }, false],
  [{ fields: { constructor: field } }, false],
  [{ fields: { ref: { rules: [] } } }, false],
  [{ fields: { ref: { rules: [{ method: "odd" }] } } }, false],
  [{ fields: { ref: { rules: [{ method: "pattern", pattern: "(" }] } } }, false],
  [{ other: 1 }, false],
])("an analyzer with %j is accepted: %s", (more, holds) => {
  expect(analyzerDefinition.safeParse({ ...analyzer, ...more }).success).toBe(holds);
});

test("a document type has a threshold from 0 to 1 for each field", () => {
  const shape = Object.keys(documentTypeDefinition.shape);
  expect(shape).toContain("displayName");
  expect(documentTypeDefinition.safeParse({}).success).toBe(false);
});
