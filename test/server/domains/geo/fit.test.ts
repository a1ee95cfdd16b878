import { expect, test } from "vitest";
import { partThatFits, scoreAt, scored, wordsIn } from "#server/domains/geo/fit.ts";

test.each([
  [["dene", "park"], "Dene Park", 1],
  [["dene", "place"], "Dene Park", 0.5],
  [["newcasle"], "Newcastle", 0.85],
  [["12", "dene"], "Dene Park", 0.769],
  [[], "Dene Park", 0],
])("%j fits %s by %d", (words, text, part) => {
  expect(partThatFits(words, wordsIn([text]))).toBe(part);
});

test("a match far away has a lower score, and none more than its confidence", () => {
  expect(scoreAt(1, 50_000)).toBe(0.5);
  const matches = [
    { score: 8, confidence: 0.5 },
    { score: 4, confidence: 1 },
  ];
  expect(scored(matches).map(({ score }) => score)).toEqual([0.5, 0.75]);
});
