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

/** A passage's score, and all its words, or the numbers of them, each as often as it has it. */
export interface ScoredWords<Word> {
  readonly score: number;
  readonly words: ArrayLike<Word>;
}

/**
 * The scores with more for passages that share words with the best ones: they often have the same
 * subject, with words that are not in the question. Those without a word of it gain nothing.
 */
export function withLikeness<Word>(scored: readonly ScoredWords<Word>[]): number[] {
  const scores = scored.map(({ score }) => score);
  const found = scored.filter(({ score }) => score > 0);
  if (found.length < passagesAtLeast) return scores;
  const best = found.toSorted((one, other) => other.score - one.score).slice(0, bestAtMost);
  const most = best[0]?.score ?? 0;
  const average = found.reduce((sum, { words }) => sum + words.length, 0) / found.length;
  // Only words of the best passages are counted, because most words of the others are not theirs.
  const compared = new Set(best.flatMap(({ words }) => Array.from(words)));
  const counts = new Map(found.map((each) => [each, countsOf(each, compared)]));
  const share = (passage: ScoredWords<Word>, word: Word): number => {
    const count = counts.get(passage)?.get(word) ?? 0;
    if (count === 0) return 0;
    const length = passage.words.length / Math.max(1, average);
    const ofLength = 1 - lengthWeight + lengthWeight * length;
    return (count * (saturation + 1)) / (count + saturation * ofLength);
  };
  const shares = new Map<Word, number>();
  for (const passage of best) {
    for (const word of counts.get(passage)?.keys() ?? []) {
      const own = (passage.score / most) * share(passage, word);
      shares.set(word, (shares.get(word) ?? 0) + own);
    }
  }
  const telling = tellingWords(shares, [...counts.values()]);
  const likeness = scored.map((each) =>
    each.score > 0
      ? telling.reduce((sum, { word, worth }) => sum + worth * share(each, word), 0)
      : 0,
  );
  const greatest = likeness.reduce((one, other) => Math.max(one, other), 0);
  if (greatest === 0) return scores;
  return scores.map((score, at) => score + weight * most * ((likeness[at] ?? 0) / greatest));
}

function countsOf<Word>({ words }: ScoredWords<Word>, among: ReadonlySet<Word>): Map<Word, number> {
  const counts = new Map<Word, number>();
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] as Word;
    if (among.has(word)) counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  return counts;
}

/** The words of the best passages that few of the others have, with their worth. */
function tellingWords<Word>(
  shares: ReadonlyMap<Word, number>,
  found: readonly ReadonlyMap<Word, number>[],
): { readonly word: Word; readonly worth: number }[] {
  const having = new Map<Word, number>();
  for (const counts of found) {
    for (const word of counts.keys()) having.set(word, (having.get(word) ?? 0) + 1);
  }
  return [...shares]
    .flatMap(([word, sum]) => {
      const count = having.get(word) ?? 0;
      return count < 2 ? [] : [{ word, worth: sum * rarity(count, found.length) }];
    })
    .toSorted((one, other) => other.worth - one.worth)
    .slice(0, wordsAtMost);
}
