import type { LocationMatch } from "#contract/resources/geo.ts";
import { weightOf } from "./gazetteer/find-places.ts";
import { nameKey } from "./gazetteer/name-key.ts";
import { isNearlySame } from "./gazetteer/typos.ts";

export const leastCorrectedLetters = 5;
export const correctedFit = 0.85;
/** At this distance from `near`, a match has half the score that its words give. */
const halfScoreMetres = 50_000;

/** The words of texts, in the form by which names are compared. */
export function wordsIn(texts: readonly string[]): ReadonlySet<string> {
  return new Set(nameKey(texts.join(" ")).split(" ").filter(Boolean));
}

/** The part of the query's words that these words have, from 0 to 1, also with one typing error. */
export function partThatFits(words: readonly string[], own: ReadonlySet<string>): number {
  let weight = 0;
  for (const word of words) {
    const part = weightOf([{ key: word }]);
    if (own.has(word)) weight += part;
    else if (
      word.length >= leastCorrectedLetters &&
      [...own].some((one) => isNearlySame(one, word))
    )
      weight += part * correctedFit;
  }
  const total = weightOf(words.map((key) => ({ key })));
  return total === 0 ? 0 : Math.round((weight / total) * 1000) / 1000;
}

export function scoreAt(score: number, metres: number): number {
  return score / (1 + metres / halfScoreMetres);
}

/** Scores that compare with those of the gazetteer: at most the confidence, by relevance. */
export function scored<Match extends LocationMatch>(matches: readonly Match[]): Match[] {
  const best = Math.max(...matches.map(({ score }) => score));
  return matches.map((match) => ({
    ...match,
    score: (match.confidence ?? 0) * (0.5 + (0.5 * match.score) / best),
  }));
}
