import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { hashedLetters, likeness, triplesOf } from "#server/text/search/likeness.ts";
import { WordLikeness } from "#server/text/search/ranking.ts";
import { record } from "./searched-record.ts";

const alike = (one: string, other: string): number =>
  likeness(hashedLetters.embed(one), hashedLetters.embed(other));

describe("likeness of words", () => {
  test("is 1 for the same word, less for a misspelt one, and 0 for others", () => {
    expect(alike("granary", "granary")).toBeCloseTo(1, 5);
    expect(alike("granary", "granery")).toBeGreaterThan(0.5);
    expect(alike("granary", "granery")).toBeLessThan(0.9);
    expect(alike("quay", "quey")).toBeGreaterThan(0.42);
    expect(alike("granary", "bicycle")).toBeLessThan(0.2);
  });

  test("is symmetric, and between 0 and 1", () => {
    const word = fc.stringMatching(/^[a-z]{1,12}$/);
    fc.assert(
      fc.property(word, word, (one, other) => {
        const found = alike(one, other);
        expect(found).toBe(alike(other, one));
        expect(found).toBeGreaterThanOrEqual(0);
        expect(found).toBeLessThanOrEqual(1);
      }),
    );
  });

  test("finds words by triples of letters", () => {
    expect(triplesOf("aaaa")).toEqual(["_aa", "aaa", "aa_"]);
    expect(triplesOf("été")).toEqual(["_ét", "été", "té_"]);
  });

  test("takes the most similar word for each word of a query", () => {
    const words = new WordLikeness(hashedLetters, ["granery", "2026"]);
    const found = words.ofRecord(record(["old", "granary", "2027", "canary"]));
    expect(found.words).toEqual(new Set(["granary"]));
    expect(found.score).toBeCloseTo(alike("granery", "granary") / 2, 5);
    expect(words.ofRecord(record(["2026"])).score).toBe(0.5);
    expect(words.ofRecord(record([])).score).toBe(0);
  });
});
