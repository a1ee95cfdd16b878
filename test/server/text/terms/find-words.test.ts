import { describe, expect, test } from "vitest";
import { stem } from "#server/text/terms/find-words.ts";
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
