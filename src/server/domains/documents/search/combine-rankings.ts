import type { SearchMode } from "#contract/resources/reads/search-modes.ts";
import type { SearchedPassage } from "../store/passage-search.ts";

/** The weight of the nearest vector next to the best score of words, for passages nearly equal. */
const vectorWeight = 0.05;

/** A passage with the scores of both rankings; null where it is not in one. */
export interface RankedPassage {
  readonly passage: SearchedPassage;
  readonly score: number;
  readonly fulltext: number | null;
  readonly vector: number | null;
}

/**
 * Passages by words and vectors: the words' score as a share of the best, plus the likeness of the
 * vector as a share of the way from the farthest to the nearest that was found. A passage that is
 * not among the nearest is as the farthest, because its likeness may be nearly the same.
 */
export function combined(mode: SearchMode, scored: readonly RankedPassage[]): RankedPassage[] {
  if (mode === "fulltext") return scored.filter(hasWords);
  const byVector = scored.filter(({ vector }) => vector !== null);
  if (mode === "vector") {
    return order(byVector.map((each) => ({ ...each, score: each.vector ?? 0, fulltext: null })));
  }
  if (byVector.length === 0) return scored.filter(hasWords);
  const best = scored.reduce((most, { fulltext }) => Math.max(most, fulltext ?? 0), 0);
  const nearness = nearnessAmong(byVector.map(({ vector }) => vector ?? 0));
  return order(
    scored
      .filter((each) => hasWords(each) || each.vector !== null)
      .map((each) => {
        const words = best === 0 ? 0 : (each.fulltext ?? 0) / best;
        return {
          ...each,
          score: (words + vectorWeight * nearness(each.vector)) / (1 + vectorWeight),
        };
      }),
  );
}

/** The place of a likeness between the least of all, which is 0, and the greatest, which is 1. */
function nearnessAmong(all: readonly number[]): (likeness: number | null) => number {
  const farthest = all.reduce((least, each) => Math.min(least, each));
  const nearest = all.reduce((most, each) => Math.max(most, each));
  return (likeness) => {
    if (likeness === null) return 0;
    return nearest === farthest ? 1 : (likeness - farthest) / (nearest - farthest);
  };
}

/** True for a passage that has words of the query. */
export function hasWords({ fulltext }: RankedPassage): boolean {
  return fulltext !== null;
}

function order(ranked: readonly RankedPassage[]): RankedPassage[] {
  return ranked.toSorted((one, other) => other.score - one.score);
}
