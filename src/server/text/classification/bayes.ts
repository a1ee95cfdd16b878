import { findTerms } from "../passages/find-terms.ts";
import type { LabelledText } from "./starter-examples.ts";

export type BayesModel = {
  labels: readonly string[];
  /** The logarithm of each word's probability in each label, minus their average. */
  weights: ReadonlyMap<string, Float64Array>;
};

/** Probabilities in the labels' order, and the number of words that the model knows. */
export type BayesResult = { probabilities: readonly number[]; knownWords: number };

/** Only the beginning of a text is classified, in code units. */
const charactersLookedAt = 6_000;
/** Added to every count, so that a word is never impossible in a label. */
const smoothing = 0.35;
/**
 * Words are not independent, so evidence grows with the root of their number. Fitted so that
 * confidence equals the share of correct labels on held-out texts.
 */
const sharpness = 1.15;

/** Trains a multinomial naive Bayes model with equally likely labels. */
export function trainBayes(examples: readonly LabelledText[]): BayesModel {
  const labels = [...new Set(examples.map((each) => each.label))].toSorted();
  const indexes = new Map(labels.map((label, index) => [label, index]));
  const counts = new Map<string, Float64Array>();
  const totals = new Float64Array(labels.length);
  for (const { label, text } of examples) {
    const index = indexes.get(label) ?? 0;
    for (const [word, count] of countWords(text)) {
      let row = counts.get(word);
      if (row === undefined) counts.set(word, (row = new Float64Array(labels.length)));
      row[index] = (row[index] ?? 0) + count;
      totals[index] = (totals[index] ?? 0) + count;
    }
  }
  const weights = new Map<string, Float64Array>();
  for (const [word, row] of counts) {
    const logarithms = row.map((count, index) =>
      Math.log((count + smoothing) / ((totals[index] ?? 0) + smoothing * counts.size)),
    );
    const average = logarithms.reduce((sum, each) => sum + each, 0) / labels.length;
    const centred = logarithms.map((each) => each - average);
    weights.set(word, centred);
  }
  return { labels, weights };
}

/** The probability of each label for a text. Unknown words do not count. */
export function applyBayes(text: string, model: BayesModel): BayesResult {
  const scores = new Float64Array(model.labels.length);
  let knownWords = 0;
  for (const [word, count] of countWords(text)) {
    const weights = model.weights.get(word);
    if (weights === undefined) continue;
    knownWords += 1;
    // Ten occurrences of a word count less than ten words.
    const times = 1 + Math.log(count);
    for (let index = 0; index < scores.length; index += 1) {
      scores[index] = (scores[index] ?? 0) + times * (weights[index] ?? 0);
    }
  }
  const scale = sharpness / Math.sqrt(Math.max(1, knownWords));
  const highest = Math.max(...scores);
  const exponents = [...scores].map((score) => Math.exp((score - highest) * scale));
  const sum = exponents.reduce((total, each) => total + each, 0);
  return { probabilities: exponents.map((each) => each / sum), knownWords };
}

function countWords(text: string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { stem } of findTerms(text.slice(0, charactersLookedAt))) {
    // Numbers and references do not depend on the kind of a text.
    if (/\p{N}/u.test(stem)) continue;
    counts.set(stem, (counts.get(stem) ?? 0) + 1);
  }
  return counts;
}
