import { expect, test } from "vitest";
import { bestHits } from "#server/search-index/best-hits.ts";

const share = { usualLength: 150, share: 0.3 };

test("the best entries have the most weight for their length, of equal ones the last place", () => {
  const terms = [
    { hits: "a/1 100,b/2 100,c/3 90,d/4 100", weight: 2 },
    { hits: "c/3 90,e/5 10", weight: 1.5 },
  ];
  const best = bestHits(terms, share, 10);
  expect(best.map(({ place }) => place)).toEqual(["c/3", "d/4", "b/2", "a/1", "e/5"]);
  expect(best[0]?.worth).toBeCloseTo(3.5 / (1.84 + 0.0024 * 90), 12);
  expect(bestHits(terms, share, 2).map(({ place }) => place)).toEqual(["c/3", "d/4"]);
});

test("there are no best entries of no terms", () => {
  expect(bestHits([], share, 5)).toEqual([]);
});
