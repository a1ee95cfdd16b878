import { expect, test } from "vitest";
import type { DocumentReview } from "#contract/reviews.ts";
import { reviewValue } from "#ui/documents/use-reviews.ts";

const review = (kind: string, found: Record<string, unknown>) =>
  ({ documentId: "1", target: kind, kind, found }) as unknown as DocumentReview;

test.each([
  // The candidate is what would be accepted.
  ["label", { label: "needs-review", candidates: [{ label: "invoice" }] }, "invoice"],
  ["label", { label: "invoice", candidates: [] }, "invoice"],
  ["field", { value: 12 }, "12"],
  ["field", { value: { amount: 3 } }, '{"amount":3}'],
  ["field", {}, "missing"],
])("a review of a %s with %o shows %s", (kind, found, shown) => {
  expect(reviewValue(review(kind, found))).toBe(shown);
});
