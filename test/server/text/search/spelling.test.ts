import { describe, expect, test } from "vitest";
import { editsBetween, spellingsOf } from "#server/text/search/spelling.ts";

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
});
