import { applyBayes, type BayesModel, trainBayes } from "./bayes.ts";
import { type LabelledText, starterExamples } from "./starter-examples.ts";
import { applyRules, type KeywordRule, starterRules } from "./keyword-rules.ts";

/** A label that a text may have; `confidence` is between 0 and 1. */
export type ClassificationCandidate = { label: string; confidence: number };

/**
 * What kind of document a text is. `method` says what decided: a rule, the learnt words, or
 * nothing.
 */
export type Classification = {
  label: string;
  confidence: number;
  /** The likeliest labels, best first. */
  candidates: ClassificationCandidate[];
  method: "rule" | "bayes" | "none";
};

export type ClassificationOptions = {
  /** Keyword rules, asked first. Default: the starter rules. */
  rules?: readonly KeywordRule[];
  /**
   * Texts to learn from. Default: the starter set; a workspace's own are best given together with
   * it.
   */
  examples?: readonly LabelledText[];
  /** The confidence below which a person must look. Default 0.5. */
  threshold?: number;
};

/** The label of a text that nothing is sure enough about. */
export const needsReview = "needs-review";

const defaultThreshold = 0.5;
const candidatesAtMost = 5;
/**
 * What the words of a text add to a rule's confidence, and so decide between two rules that are met
 * alike.
 */
const wordsBesideRules = 0.06;
/** With fewer known words than this, the learnt words say nothing. */
const knownWordsAtLeast = 4;

/** Learning takes milliseconds, and the same examples come with every document of a workspace. */
const models = new WeakMap<readonly LabelledText[], BayesModel>();

/**
 * Says what kind of document a text is: keyword rules first, then naive Bayes over examples.
 * Abstains with the label `needs-review` when neither is sure enough. The same text and options
 * always give the same answer; nothing leaves this process. The text's first few thousand
 * characters decide.
 */
export function classify(text: string, options: ClassificationOptions = {}): Classification {
  const examples = options.examples ?? starterExamples;
  const met = applyRules(text, options.rules ?? starterRules);
  const model = modelOf(examples);
  const { probabilities, knownWords } = applyBayes(text, model);

  const confidences = new Map<string, number>();
  if (knownWords >= knownWordsAtLeast) {
    const left = met.size === 0 ? 1 : 1 - Math.max(...met.values());
    model.labels.forEach((label, index) => {
      confidences.set(label, (probabilities[index] ?? 0) * left);
    });
  }
  for (const [label, confidence] of met) {
    const index = model.labels.indexOf(label);
    const words = index === -1 || knownWords < knownWordsAtLeast ? 0 : (probabilities[index] ?? 0);
    confidences.set(label, Math.min(0.99, confidence + wordsBesideRules * words));
  }

  const candidates = [...confidences]
    .map(([label, confidence]) => ({ label, confidence: Math.round(confidence * 1000) / 1000 }))
    .toSorted((a, b) => b.confidence - a.confidence || compare(a.label, b.label))
    .slice(0, candidatesAtMost);
  const best = candidates[0];
  if (best === undefined || best.confidence < (options.threshold ?? defaultThreshold)) {
    return { label: needsReview, confidence: best?.confidence ?? 0, candidates, method: "none" };
  }
  return { ...best, candidates, method: met.has(best.label) ? "rule" : "bayes" };
}

function modelOf(examples: readonly LabelledText[]): BayesModel {
  let model = models.get(examples);
  if (model === undefined) {
    model = trainBayes(examples);
    models.set(examples, model);
  }
  return model;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
