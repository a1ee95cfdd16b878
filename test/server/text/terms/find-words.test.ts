import { describe, expect, test } from "vitest";
import {
  findJoined,
  findWords,
  findWordsByPattern,
  partsOf,
  stem,
} from "#server/text/terms/find-words.ts";
import { findTerms } from "#server/text/terms/terms.ts";

describe("findTerms", () => {
  test("a reference is one word, other joined words are split", () => {
    expect(findTerms("PA-2026-0042: the ground-floor café's HW/2026/3317")).toEqual([
      { term: "pa-2026-0042", start: 0, end: 12 },
      { term: "ground", start: 18, end: 24 },
      { term: "floor", start: 25, end: 30 },
      { term: "cafe", start: 31, end: 35 },
      { term: "hw/2026/3317", start: 38, end: 50 },
    ]);
  });

  test.each([
    ["iPad用データ、PA-2026-0042号", ["ipad", "用", "データ", "pa-2026-0042", "号"]],
    ["公園の池は深い", ["公園", "池", "深い"]],
    ["ระบบข้อมูล", ["ระบบ", "ข้อมูล"]],
    ["हिन्दी में", ["हिन्दी", "में"]],
    ["데이터 플랫폼", ["데이터", "플랫폼"]],
  ])("%s", (text, expected) => {
    const found = findTerms(text);
    expect(found.map(({ term }) => term.normalize("NFC"))).toEqual(expected);
    for (const { term, start, end } of found) {
      expect(text.slice(start, end).toLowerCase()).toBe(term.normalize("NFC"));
    }
  });
});

describe("findWords", () => {
  test("finds the same words as the pattern next to letters and signs of any script", () => {
    const signs = ["a", "Z", "07", "PA-2026", "-", "/", "'", "’", ".", "_", " ", "\n", "—", "é"];
    const others = [
      "e\u0301",
      "\u0301",
      "データ",
      "桜",
      "ไทย",
      "😀",
      "\ud800",
      "İ",
      "ß",
      "٣",
      "\0",
    ];
    const all = [...signs, ...others];
    const triples = all.flatMap((one) =>
      all.flatMap((two) => all.map((three) => one + two + three)),
    );
    for (const text of triples) {
      for (const each of [text, `b${text}c`, `${text}-12${text}`]) {
        expect(findWords(each), JSON.stringify(each)).toEqual(findWordsByPattern(each));
      }
    }
  });

  test("keeps the places of words after letters outside ASCII", () => {
    expect(findWords("a-b. naïve HW/2026/3317 x’s")).toEqual([
      { text: "a", start: 0, end: 1, isIdentifier: false },
      { text: "b", start: 2, end: 3, isIdentifier: false },
      { text: "naïve", start: 5, end: 10, isIdentifier: false },
      { text: "HW/2026/3317", start: 11, end: 23, isIdentifier: true },
      { text: "x", start: 24, end: 25, isIdentifier: false },
      { text: "s", start: 26, end: 27, isIdentifier: false },
    ]);
  });
});

describe("findJoined and partsOf", () => {
  test("take texts of ASCII as those with other letters", () => {
    const signs = ["a", "Z9", "07", "-", "/", "'", ".", "_", " ", "\n", "~", "\0"];
    for (const one of signs) {
      for (const two of signs) {
        for (const three of signs) {
          const text = `${one}${two}${three}b-${two}${one}`;
          expect(findJoined(text), text).toEqual(findJoined(`${text} é`).slice(0, -1));
          const parts = partsOf(`é-${text}`).slice(1);
          expect(
            partsOf(text).map((part) => ({ ...part, start: part.start + 2 })),
            text,
          ).toEqual(parts);
        }
      }
    }
  });
});

describe("stem", () => {
  test("takes linear time for a long word", () => {
    const vowels = "a".repeat(1_000_000);
    expect(stem(vowels)).toBe(vowels);
    expect(stem(`${vowels}nning`)).toBe(`${vowels}n`);
  });

  test.each([
    [["park", "parks", "parked", "parking"], "park"],
    [["plan", "plans", "planned", "planning"], "plan"],
    [["space", "spaces"], "spac"],
    [["fee", "fees"], "fee"],
    [["policy", "policies"], "policy"],
    [["provide", "provides", "provided", "providing"], "provid"],
    [["church", "churches"], "church"],
    [["address"], "address"],
    [["2026", "17s"], ""],
    [["sting", "bring"], ""],
    [["shed", "fed"], ""],
  ])("%j", (words, expected) => {
    const stems = words.map((word) => stem(word));
    if (expected === "") expect(stems).toEqual(words);
    else expect(new Set(stems)).toEqual(new Set([expected]));
  });
});
