import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { findTerms, searchTerms, stem } from "#server/engines/passages/terms.ts";

describe("searchTerms", () => {
  test("the words of a question that mean something, each once", () => {
    expect(
      searchTerms("When is the decision on PA-2026-0042 due, and is the decision final?"),
    ).toEqual(["decision", "pa", "2026", "0042", "due", "final"]);
  });

  test("nothing in it can be an operator of a query language", () => {
    expect(searchTerms('fee OR "x" AND NOT near(a*) -b; drop table --')).toEqual([
      "fee",
      "x",
      "near",
      "b",
      "drop",
      "table",
    ]);
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 2000 }), (question) => {
        const terms = searchTerms(question);
        expect(terms.length).toBeLessThanOrEqual(32);
        expect(new Set(terms).size).toBe(terms.length);
        for (const term of terms) expect(term).toMatch(/^[\p{L}\p{N}\p{M}]{1,80}$/u);
      }),
    );
  });

  test("at most 32 words, and none of absurd length", () => {
    const many = Array.from({ length: 100 }, (_, index) => `word${index}`);
    expect(searchTerms(many.join(" "))).toEqual(many.slice(0, 32));
    expect(searchTerms("x".repeat(65))).toEqual([]);
  });
});

describe("findTerms", () => {
  test("a reference is one word, other joined words are several", () => {
    expect(findTerms("PA-2026-0042: the ground-floor café's HW/2026/3317")).toEqual([
      { stem: "pa-2026-0042", start: 0, end: 12 },
      { stem: "ground", start: 18, end: 24 },
      { stem: "floor", start: 25, end: 30 },
      { stem: "café", start: 31, end: 35 },
      { stem: "hw/2026/3317", start: 38, end: 50 },
    ]);
  });
});

describe("stem", () => {
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
  ])("%j", (words, expected) => {
    const stems = words.map((word) => stem(word));
    if (expected === "") expect(stems).toEqual(words);
    else expect(new Set(stems)).toEqual(new Set([expected]));
  });
});
