import { findTerms } from "../passages/find-terms.ts";
import type { LabelledText } from "./starter-examples.ts";

/** Learnt word frequencies; made once by trainBayes() and used for any number of texts. */
export type BayesModel = {
  labels: readonly string[];
  /**
   * For each word, the logarithm of its probability in each label, less the average over the
   * labels.
   */
  weights: ReadonlyMap<string, Float64Array>;
};

/** Probabilities in the labels' order, and how many of the text's words the model knows. */
export type BayesResult = { probabilities: readonly number[]; knownWords: number };

/**
 * How much of a text is looked at, in code units: its beginning tells what it is, at a cost that
 * has a bound.
 */
const charactersLookedAt = 6_000;
/** Added to every count, so that a word that a label never had is unlikely and not impossible. */
const smoothing = 0.35;
/**
 * Words of a text are not independent, so the plain product is far too sure of itself: evidence
 * grows with the root of a text's length, scaled so that confidence and the share of right answers
 * agree on held-out texts.
 */
const sharpness = 1.15;

/**
 * Learns a multinomial naive Bayes model, in which each label is as likely as any other before a
 * word is read.
 */
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
    weights.set(
      word,
      logarithms.map((each) => each - average),
    );
  }
  return { labels, weights };
}

/** How likely each label is for a text. Words that the model never met say nothing. */
export function applyBayes(text: string, model: BayesModel): BayesResult {
  const scores = new Float64Array(model.labels.length);
  let knownWords = 0;
  for (const [word, count] of countWords(text)) {
    const weights = model.weights.get(word);
    if (weights === undefined) continue;
    knownWords += 1;
    // A word that stands ten times is no ten proofs.
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
    // Numbers and references differ from text to text and say nothing of its kind.
    if (/\p{N}/u.test(stem)) continue;
    counts.set(stem, (counts.get(stem) ?? 0) + 1);
  }
  return counts;
}
