import { describe, expect, test } from "vitest";
import { withLikeness } from "#server/domains/documents/search/likeness-to-best.ts";

/** A passage with a score and these words, each once. */
function passage(score: number, ...words: string[]) {
  return { score, words };
}

/** Passages enough for a comparison, each with another word. */
function others(count: number, score = 1) {
  return Array.from({ length: count }, (_, at) => passage(score, "quay", `other${at}`));
}

describe("the likeness to the best passages", () => {
  const best = [5, 5, 5, 5, 5, 5].map((score) => passage(score, "quay", "mooring", "tide"));

  test("puts the passage first that shares words with them, of equal ones", () => {
    const unlike = passage(3, "quay", "shop", "flat");
    const like = passage(3, "quay", "mooring", "tide");
    const scores = withLikeness([...best, unlike, like, ...others(40)]);
    expect(scores[7]).toBeGreaterThan(scores[6] ?? 0);
    expect(scores[7]).toBeLessThan(scores[0] ?? 0);
  });

  test("gives nothing to a passage without a word of the question", () => {
    const scores = withLikeness([...best, passage(0, "mooring", "tide"), ...others(40)]);
    expect(scores[6]).toBe(0);
  });

  test("does not count among a few passages, nor by words that all have", () => {
    const few = [...best, passage(3, "quay", "mooring")];
    expect(withLikeness(few)).toEqual(few.map(({ score }) => score));
    const same = others(60, 2);
    expect(new Set(withLikeness(same)).size).toBe(1);
  });
});
