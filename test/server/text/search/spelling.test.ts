import { describe, expect, test } from "vitest";
import { editsBetween, spellingsOf, trustIn } from "#server/text/search/spelling.ts";

describe("the edits between two words", () => {
  test.each([
    ["granary", "granary", 0],
    ["granery", "granary", 1],
    ["granry", "granary", 1],
    ["grannary", "granary", 1],
    ["garnary", "granary", 1],
    ["surfcae", "surface", 1],
    ["gransey", "granary", 2],
    ["решенея", "решения", 1],
  ])("%s and %s: %i", (one, other, edits) => {
    expect(editsBetween(one, other, 3)).toBe(edits);
    expect(editsBetween(other, one, 3)).toBe(edits);
  });

  test("are more than the most, whatever their number", () => {
    expect(editsBetween("wall", "granary", 2)).toBe(3);
    expect(editsBetween("walls", "hedge", 2)).toBe(3);
  });
});

describe("the spellings of a misspelt word", () => {
  test("begin with the nearest one", () => {
    const words = ["drain", "drainag", "train", "drawn"];
    expect(spellingsOf("draineg", words)).toEqual([
      { word: "drainag", edits: 1 },
      { word: "drain", edits: 2 },
    ]);
  });

  test("of a short word are one edit away", () => {
    expect(spellingsOf("quey", ["quay", "queue", "key"])).toEqual([{ word: "quay", edits: 1 }]);
  });

  test("are rather longer forms of it than words with another letter", () => {
    const words = ["egilim", "egitimi", "egitimde"];
    expect(spellingsOf("egitim", words).map(({ word }) => word)).toEqual([
      "egitimde",
      "egitimi",
      "egilim",
    ]);
  });
});

describe("the trust in a correction", () => {
  test("is less for a short word, and for one with two edits", () => {
    const [sure, short, far] = [
      trustIn("granary", "granery"),
      trustIn("quay", "quey"),
      trustIn("granary", "gransey"),
    ];
    expect(sure).toBeLessThan(1);
    expect(short).toBeLessThan(sure);
    expect(far).toBeLessThan(sure);
  });

  test("is that of one edit for a longer form", () => {
    expect(trustIn("egitimde", "egitim")).toBe(trustIn("granary", "granery"));
  });
});
