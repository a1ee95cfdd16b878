import { expect, test } from "vitest";
import {
  evidenceOf,
  missingNames,
  totalOf,
  weightsOf,
} from "#server/text/passages/sentence-evidence.ts";

const none: ReadonlyMap<string, number> = new Map();

/** A sentence that has these words, in a chunk that has others too. */
function sentence(words: readonly string[], others: readonly string[] = []) {
  const counts = new Map(words.map((word) => [word, 1]));
  const around = new Map([...words, ...others].map((word) => [word, 1]));
  const text = `${words.join(" ")}.`;
  const chunk = { page: 1, start: 0, end: text.length, text };
  return {
    chunk,
    rank: 0,
    start: 0,
    end: text.length,
    text,
    length: words.length,
    counts,
    own: counts,
    heading: none,
    before: none,
    around,
  };
}

const word = (is: { isName?: boolean; isAsking?: boolean } = {}) => {
  return { forms: [], isName: false, isAsking: false, ...is };
};

const all = [sentence(["wall", "high"], ["harbour"]), sentence(["park"])];

test("words weigh by their rarity, those of the asking less, and unknown ones as is wanted", () => {
  const asked = new Map([
    ["wall", word()],
    ["document", word({ isAsking: true })],
    ["crane", word()],
  ]);
  const weights = weightsOf(asked, all, {
    rarities: new Map([["wall", 3]]),
    rarest: 3,
  });
  expect(weights.get("wall")).toBe(3);
  expect(weights.get("document")).toBeLessThan(weights.get("crane") ?? 0);
  const known = new Map([
    ["wall", 3],
    ["crane", 2],
  ]);
  expect(totalOf(known, all, 0)).toBe(3);
  expect(totalOf(known, all, 0.5)).toBe(4);
});

test("a sentence with more of the question has more evidence, one with none has no evidence", () => {
  const weights = new Map([
    ["wall", 3],
    ["high", 2],
    ["harbour", 2],
  ]);
  const scoring = { weights, all: 7, whole: 7, rarest: 3, averageLength: 2 };
  const of = (words: readonly string[], others?: readonly string[]) =>
    evidenceOf(sentence(words, others), { ...scoring, wants: null });
  const [most, some] = [of(["wall", "high"], ["harbour"]), of(["wall"])];
  expect(most?.evidence).toBeGreaterThan(some?.evidence ?? Number.NaN);
  expect([most?.hasWhole, some?.hasWhole]).toEqual([true, false]);
  expect(of([], ["wall"])).toBeNull();
});

test("the names of a question weigh that neither a sentence nor its chunk has", () => {
  const weights = new Map([
    ["wall", 1],
    ["harbour", 1],
    ["luther", 2],
  ]);
  const asked = new Map([
    ["wall", word()],
    ["harbour", word({ isName: true })],
    ["luther", word({ isName: true })],
  ]);
  const missing = (words: readonly string[], others?: readonly string[]) =>
    missingNames(sentence(words, others), asked, weights);
  expect(missing(["wall"])).toBe(0.75);
  expect(missing(["wall"], ["harbour"])).toBe(0.5);
  expect(missing(["harbour", "luther"])).toBe(0);
  expect(missingNames(sentence([]), asked, new Map())).toBe(0);
});
