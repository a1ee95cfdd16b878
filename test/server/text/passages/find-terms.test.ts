import { describe, expect, test } from "vitest";
import { findNameStems, findTerms, stem } from "#server/text/passages/find-terms.ts";

describe("findTerms", () => {
  test("a reference is one word, other joined words are split", () => {
    expect(findTerms("PA-2026-0042: the ground-floor café's HW/2026/3317")).toEqual([
      { stem: "pa-2026-0042", start: 0, end: 12 },
      { stem: "ground", start: 18, end: 24 },
      { stem: "floor", start: 25, end: 30 },
      { stem: "café", start: 31, end: 35 },
      { stem: "hw/2026/3317", start: 38, end: 50 },
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
    expect(found.map((term) => term.stem)).toEqual(expected);
    for (const { stem, start, end } of found) {
      expect(text.slice(start, end).toLowerCase()).toBe(stem);
    }
  });
});

describe("findNameStems", () => {
  test("gives the parts of a name, and the references in it", () => {
    const stems = findNameStems("Site plans_PA-2026-0042-v2.pdf");
    for (const each of ["site", "plan", "pa", "2026", "0042", "pa-2026-0042"]) {
      expect(stems).toContain(each);
    }
    expect(findNameStems("the-and.of")).toEqual(new Set());
    expect(findNameStems("公園改修-PA-2026-0042.pdf")).toEqual(
      findNameStems("公園 改修 PA-2026-0042.pdf"),
    );
  });

  test("takes linear time for a long name", () => {
    const stems = findNameStems("a1-".repeat(100_000));
    expect(stems.size).toBeLessThan(10);
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
