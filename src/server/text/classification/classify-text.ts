import { applyTextModel, type TextModel } from "./text-model.ts";

/** A possible label; `confidence` is between 0 and 1. */
export type ClassificationCandidate = { label: string; confidence: number };

/** The kind of a document, and how it was decided. */
export interface Classification {
  /** A label, or `needs-review` when none reaches its threshold. */
  readonly label: string;
  readonly confidence: number;
  /** The most likely labels, best first. */
  readonly candidates: ClassificationCandidate[];
  readonly method: "rule" | "model" | "none";
}

export interface Classifier {
  readonly rules: readonly PhraseRule[];
  readonly model: TextModel | undefined;
  /** Labels that may be given; the model may know others that were retired. */
  readonly labels: ReadonlySet<string>;
  /** The confidence that a label must reach. */
  thresholdOf(label: string): number;
}

export const needsReview = "needs-review";

const candidatesAtMost = 5;
/** The most that learnt words add to a rule's confidence, to decide between equal rules. */
const wordsAddedToRules = 0.06;

/**
 * Classifies a document by its first 6,000 characters: by phrases that such documents have, then
 * with the trained model. Deterministic and local.
 */
export function classifyText(text: string, classifier: Classifier): Classification {
  const { rules, model, labels } = classifier;
  const met = applyRules(text, rules);
  const applied = model === undefined ? undefined : applyTextModel(text, model);
  const confidences = new Map<string, number>();
  if (model !== undefined && applied !== undefined && applied.known > 0) {
    const left = met.size === 0 ? 1 : 1 - Math.max(...met.values());
    model.labels.forEach((label, index) => {
      if (labels.has(label)) confidences.set(label, (applied.confidences[index] ?? 0) * left);
    });
  }
  for (const [label, confidence] of met) {
    const words = met.size === 1 ? 0 : shareOf(label, classifier, applied?.confidences ?? []);
    confidences.set(label, Math.min(0.99, confidence + wordsAddedToRules * words));
  }
  const candidates = [...confidences]
    .map(([label, confidence]) => ({ label, confidence: Math.round(confidence * 1000) / 1000 }))
    .toSorted((a, b) => b.confidence - a.confidence || (a.label < b.label ? -1 : 1))
    .slice(0, candidatesAtMost);
  const best = candidates[0];
  if (best === undefined || best.confidence < classifier.thresholdOf(best.label)) {
    return { label: needsReview, confidence: best?.confidence ?? 0, candidates, method: "none" };
  }
  return { ...best, candidates, method: met.has(best.label) ? "rule" : "model" };
}

function shareOf(label: string, { model }: Classifier, shares: readonly number[]): number {
  return shares[model?.labels.indexOf(label) ?? -1] ?? 0;
}

/** Gives a text its label if its beginning has at least `minimum` different phrases. */
export type PhraseRule = {
  label: string;
  /** The phrases, in lower case and with single spaces. */
  phrases: readonly string[];
  minimum: number;
  /** The confidence of just the minimum of phrases, between 0 and 1. */
  confidence: number;
};

/** Rules read only the beginning of a text, in code units. */
const charactersLookedAt = 6_000;
const confidenceAtMost = 0.98;
const confidenceForEachMore = 0.02;

/** The labels whose rules the text meets, with the confidence of each. */
function applyRules(text: string, rules: readonly PhraseRule[]): Map<string, number> {
  const beginning = text.slice(0, charactersLookedAt).toLowerCase().replace(/\s+/g, " ");
  const met = new Map<string, number>();
  for (const rule of rules) {
    const found = rule.phrases.filter((phrase) => beginning.includes(phrase)).length;
    if (found < rule.minimum || found === 0) continue;
    const more = (found - rule.minimum) * confidenceForEachMore;
    const confidence = Math.min(confidenceAtMost, rule.confidence + more);
    met.set(rule.label, Math.max(met.get(rule.label) ?? 0, confidence));
  }
  return met;
}
