import { expect, test } from "vitest";
import type { DocumentReview } from "#contract/documents/reviews.ts";
import { reviewValue, reviewWords } from "#ui/documents/use-reviews.ts";

const review = (kind: string, found: NonNullable<DocumentReview["found"]>): DocumentReview => ({
  documentId: "1",
  target: kind,
  kind,
  found,
});

const cases: readonly (readonly [string, NonNullable<DocumentReview["found"]>, string])[] = [
  // The candidate is what would be accepted.
  ["label", { label: "needs-review", candidates: [{ label: "invoice" }] }, "invoice"],
  ["label", { label: "invoice", candidates: [] }, "invoice"],
  ["field", { value: 12 }, "12"],
  ["field", { value: { amount: 3 } }, '{"amount":3}'],
  ["field", {}, "missing"],
];

test.each(cases)("a review of a %s with %o shows %s", (kind, found, shown) => {
  expect(reviewValue(review(kind, found))).toBe(shown);
});

test("a number is shown with its thousands, and corrected as it is", () => {
  const total = review("field", { value: 12400.5 });
  expect([reviewWords(total), reviewValue(total)]).toEqual(["12,400.5", "12400.5"]);
  expect(reviewWords(review("field", { value: "GBP 1751.50" }))).toBe("£1,751.50");
  expect(reviewWords(review("field", {}))).toBe("missing");
  expect(reviewWords(review("label", { label: "invoice" }))).toBe("invoice");
});
