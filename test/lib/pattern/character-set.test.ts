import { expect, test } from "vitest";
import {
  complement,
  contains,
  lastCodePoint,
  single,
  union,
  withBothCases,
} from "#lib/pattern/character-set.ts";

const point = (character: string): number => character.codePointAt(0) ?? 0;

test("ranges that overlap or touch are joined", () => {
  expect(
    union([
      [10, 12],
      [1, 3],
      [4, 5],
      [11, 20],
      [15, 16],
    ]),
  ).toEqual([
    [1, 5],
    [10, 20],
  ]);
});

test("a complement is what the set lacks, and twice it is the set", () => {
  expect(complement([[0, 9]])).toEqual([[10, lastCodePoint]]);
  expect(complement([])).toEqual([[0, lastCodePoint]]);
  const set = [
    [3, 4],
    [8, 8],
  ] as const;
  expect(complement(complement(set))).toEqual(set);
});

test("membership is exact at the ends of ranges", () => {
  const set = [
    [3, 4],
    [8, 10],
  ] as const;
  expect([2, 3, 4, 5, 7, 8, 10, 11].map((value) => contains(set, value))).toEqual([
    false,
    true,
    true,
    false,
    false,
    true,
    true,
    false,
  ]);
});

test.each([
  ["k", "k", true],
  ["k", "K", true],
  ["k", "\u212a", false],
  ["σ", "ς", true],
  ["é", "É", true],
  ["ß", "S", false],
  ["a", "b", false],
])("without case, %s and %s are the same: %s", (one, other, isSame) => {
  expect(contains(withBothCases(single(point(one))), point(other))).toBe(isSame);
  // The language's own expressions agree, apart from its Unicode mode.
  expect(new RegExp(one, "i").test(other)).toBe(isSame);
});
