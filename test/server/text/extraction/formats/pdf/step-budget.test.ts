import { expect, test } from "vitest";
import { StepBudget } from "#server/text/extraction/formats/pdf/step-budget.ts";

test("a page and all pages so far have their steps", () => {
  const budget = new StepBudget({ pageSteps: 10, documentSteps: 15 });
  const first = budget.ofPage(1);
  first.take(10);
  expect(() => first.take(1)).toThrow("page 1 has more than 10 pieces");
  expect(() => budget.ofPage(2).take(9)).toThrow("its pages up to 2 have more than 15 pieces");
});
