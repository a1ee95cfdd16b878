import { expect, test } from "vitest";
import { LineHyphens } from "#server/text/extraction/formats/pdf/line-hyphens.ts";

test.each([
  // A break within a word.
  ["the appli-", "cation was made", [], false],
  ["the re-", "fusal of May", [], false],
  // The page has the whole word, or the compound.
  ["a lay-", "out of rooms", ["The layout is new"], false],
  ["a set-", "back of the wall", ["The set-back is small"], true],
  // A usual first part of a compound, and two words that the page has.
  ["for a short-", "term let", [], true],
  ["a flood-", "water basin", ["Each flood and its water are measured"], true],
  // A reference, and a name.
  ["drawing OG-", "07 shows", [], true],
  ["the Jean-", "Paul house", [], true],
])("%s|%s next to %j", (line, next, others, isKept) => {
  const lines = [line, next, ...others];
  expect(new LineHyphens(lines).isKept(line, next)).toBe(isKept);
});
