import { describe, expect, it } from "vitest";
import { combined, type RankedPassage } from "#server/domains/documents/search/combine-rankings.ts";

/** A passage with its scores by words and by vector. */
function scored(name: string, fulltext: number | null, vector: number | null): RankedPassage {
  const passage = { filename: name } as RankedPassage["passage"];
  return { passage, score: fulltext ?? 0, fulltext, vector };
}

function names(ranked: readonly RankedPassage[]): string[] {
  return ranked.map(({ passage }) => passage.filename);
}

describe("rankings by words and by vectors", () => {
  it("puts the nearer of two passages first whose words are nearly equal", () => {
    const passages = [scored("far", 10, 0.3), scored("near", 9.9, 0.9), scored("other", 2, 0.2)];
    expect(names(combined("hybrid", passages))).toEqual(["near", "far", "other"]);
  });

  it("leaves passages in the order of their words where those differ", () => {
    const passages = [scored("words", 10, 0.2), scored("near", 5, 0.9), scored("other", 2, 0.3)];
    expect(names(combined("hybrid", passages))).toEqual(["words", "near", "other"]);
  });

  it("takes a passage that is not among the nearest as the farthest of them", () => {
    const passages = [scored("unknown", 10, null), scored("farthest", 9.9, 0.7)];
    const ranked = combined("hybrid", [...passages, scored("nearest", 1, 0.9)]);
    expect(names(ranked)).toEqual(["unknown", "farthest", "nearest"]);
  });

  it("does not depend on the range in which a model has its likenesses", () => {
    const order = (likeness: (value: number) => number) =>
      names(
        combined("hybrid", [
          scored("words", 10, likeness(0)),
          scored("near", 9.8, likeness(1)),
          scored("half", 9.9, likeness(0.5)),
        ]),
      );
    expect(order((value) => 0.8 + value / 10)).toEqual(order((value) => value));
    expect(order((value) => value)[0]).toBe("near");
  });

  it("has passages without the words after those with them, nearest first", () => {
    const passages = [scored("b", null, 0.5), scored("a", null, 0.9), scored("words", 3, 0.1)];
    expect(names(combined("hybrid", passages))).toEqual(["words", "a", "b"]);
  });

  it("counts a single vector as the nearest", () => {
    const passages = [scored("words", 10, null), scored("vector", 9.9, 0.4)];
    expect(names(combined("hybrid", passages))).toEqual(["vector", "words"]);
  });

  it("has only passages with the words where no vector is known, and in a full-text search", () => {
    const passages = [scored("words", 3, null), scored("none", null, null)];
    expect(names(combined("hybrid", passages))).toEqual(["words"]);
    expect(names(combined("fulltext", [...passages, scored("v", null, 1)]))).toEqual(["words"]);
  });

  it("ranks by the likeness alone in a search of vectors", () => {
    const ranked = combined("vector", [scored("a", 9, 0.1), scored("b", null, 0.6)]);
    expect(names(ranked)).toEqual(["b", "a"]);
    expect(ranked.map(({ score, fulltext }) => [score, fulltext])).toEqual([
      [0.6, null],
      [0.1, null],
    ]);
  });
});
