/** Gives a text its label if its beginning has at least `minimum` different phrases. */
export type PhraseRule = {
  label: string;
  /** In lower case, with single spaces. */
  phrases: readonly string[];
  minimum: number;
  /** With just the minimum of phrases, between 0 and 1. */
  confidence: number;
};

/** Rules read only the beginning of a text, in code units. */
const charactersLookedAt = 6_000;
const confidenceAtMost = 0.98;
const confidenceForEachMore = 0.02;

/** The labels whose rules the text meets, with the confidence of each. */
export function applyRules(text: string, rules: readonly PhraseRule[]): Map<string, number> {
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
