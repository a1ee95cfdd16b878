import { applyBayes, type BayesModel, trainBayes } from "./bayes.ts";
import { type LabelledText, starterExamples } from "./starter-examples.ts";
import { applyRules, type KeywordRule, starterRules } from "./keyword-rules.ts";

/** A possible label; `confidence` is between 0 and 1. */
export type ClassificationCandidate = { label: string; confidence: number };

/** The kind of a document. `method` is how it was decided. */
export type Classification = {
  label: string;
  confidence: number;
  /** The most likely labels, best first. */
  candidates: ClassificationCandidate[];
  method: "rule" | "bayes" | "none";
};

export type ClassificationOptions = {
  /** Keyword rules, applied first. Default: the starter rules. */
  rules?: readonly KeywordRule[];
  /** Texts to learn from. Default: the starter set. */
  examples?: readonly LabelledText[];
  /** Below this confidence a user must review the text. Default 0.5. */
  threshold?: number;
};

export const needsReview = "needs-review";

const defaultThreshold = 0.5;
const candidatesAtMost = 5;
/** The most that learnt words add to a rule's confidence, to decide between equal rules. */
const wordsAddedToRules = 0.06;
const knownWordsAtLeast = 4;

/** Training takes milliseconds, and every document of a workspace has the same examples. */
const models = new WeakMap<readonly LabelledText[], BayesModel>();

/**
 * Classifies a document by its first 6,000 characters: keyword rules, then naive Bayes over
 * examples. Returns the label `needs-review` below the threshold. Deterministic and local.
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
    confidences.set(label, Math.min(0.99, confidence + wordsAddedToRules * words));
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
