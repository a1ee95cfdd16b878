import { rarity } from "../../../text/search/ranking.ts";

/** The best passages, by whose words the others are compared. */
const bestAtMost = 6;
/** Words of the best passages that are compared: those that tell them from the others. */
const wordsAtMost = 60;
/** The weight of the likeness next to the best score. */
const weight = 0.25;
/** Fewer passages than these do not tell which words are those of a subject. */
const passagesAtLeast = 40;
/** BM25's saturation of repeated words, and its weight of a text's length. */
const saturation = 1.2;
const lengthWeight = 0.75;

/** A passage's score, and all its words with their numbers. */
export interface ScoredWords {
  readonly score: number;
  readonly words: ReadonlyMap<string, number>;
  readonly length: number;
}

/**
 * The scores with more for passages that share words with the best ones: they often have the same
 * subject, with words that are not in the question. Those without a word of it gain nothing.
 */
export function withLikeness(scored: readonly ScoredWords[]): number[] {
  const scores = scored.map(({ score }) => score);
  const found = scored.filter(({ score }) => score > 0);
  if (found.length < passagesAtLeast) return scores;
  const best = found.toSorted((one, other) => other.score - one.score).slice(0, bestAtMost);
  const most = best[0]?.score ?? 0;
  const average = found.reduce((sum, { length }) => sum + length, 0) / found.length;
  const share = ({ words, length }: ScoredWords, word: string): number => {
    const count = words.get(word) ?? 0;
    if (count === 0) return 0;
    const ofLength = 1 - lengthWeight + (lengthWeight * length) / Math.max(1, average);
    return (count * (saturation + 1)) / (count + saturation * ofLength);
  };
  const telling = tellingWords(best, found, share, most);
  const likeness = scored.map((each) =>
    each.score > 0
      ? telling.reduce((sum, { word, worth }) => sum + worth * share(each, word), 0)
      : 0,
  );
  const greatest = likeness.reduce((one, other) => Math.max(one, other), 0);
  if (greatest === 0) return scores;
  return scores.map((score, at) => score + weight * most * ((likeness[at] ?? 0) / greatest));
}

/** The words of the best passages that few of the others have, with their worth. */
function tellingWords(
  best: readonly ScoredWords[],
  found: readonly ScoredWords[],
  share: (passage: ScoredWords, word: string) => number,
  most: number,
): { readonly word: string; readonly worth: number }[] {
  const shares = new Map<string, number>();
  for (const passage of best) {
    for (const word of passage.words.keys()) {
      const own = (passage.score / most) * share(passage, word);
      shares.set(word, (shares.get(word) ?? 0) + own);
    }
  }
  const having = new Map<string, number>();
  for (const { words } of found) {
    for (const word of words.keys()) {
      if (shares.has(word)) having.set(word, (having.get(word) ?? 0) + 1);
    }
  }
  return [...shares]
    .flatMap(([word, sum]) => {
      const count = having.get(word) ?? 0;
      const tells = rarity(count, found.length);
      return count < 2 ? [] : [{ word, worth: sum * tells }];
    })
    .toSorted((one, other) => other.worth - one.worth)
    .slice(0, wordsAtMost);
}
