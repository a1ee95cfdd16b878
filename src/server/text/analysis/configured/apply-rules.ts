import type { PageText } from "../../extraction/extracted-document.ts";
import { findValues, type FieldType } from "../find-values.ts";
import { fieldName, findLabelledValues } from "../labelled-values.ts";
import { findPattern, type PatternBudget, type Span } from "./find-pattern.ts";
import { scalarOf, type ScalarType } from "./scalar-value.ts";
import { findTableCell } from "./table-cells.ts";

/** A way to find a value in a text. */
export type TextRule =
  | { readonly method: "pattern"; readonly pattern: string; readonly after?: string | undefined }
  | { readonly method: "label-value"; readonly labels: readonly string[] }
  | {
      readonly method: "table-cell";
      readonly column: string;
      readonly row?: string | undefined;
    }
  | { readonly method: "form"; readonly form: FieldType };

/** A value with its place: `quote` is the text of the page at the span. */
export interface FoundScalar {
  readonly value: string | number | boolean;
  readonly confidence: number;
  readonly page: number;
  readonly span: Span;
  readonly quote: string;
  readonly method: TextRule["method"];
}

const confidences: Readonly<Record<TextRule["method"], number>> = {
  pattern: 0.9,
  "label-value": 0.92,
  "table-cell": 0.88,
  form: 0.6,
};
/** A value of the wrong type, which a user must look at. */
const unfitConfidence = 0.3;
const longestQuote = 500;

/**
 * The value of the first rule that finds one of the type. When the rules find only texts that are
 * not of the type, the first one with a low confidence.
 */
export function applyRules(
  pages: readonly PageText[],
  rules: readonly TextRule[],
  type: ScalarType,
  budget: PatternBudget,
): FoundScalar | undefined {
  let unfit: FoundScalar | undefined;
  for (const rule of rules) {
    for (const { page, text, found } of placesOf(pages, rule, budget)) {
      const quote = text.slice(found.start, Math.min(found.end, found.start + longestQuote));
      const span = { start: found.start, end: found.start + quote.length };
      const value = scalarOf(quote, type);
      const { method } = rule;
      if (value !== undefined) {
        return { value, confidence: confidences[method], page, span, quote, method };
      }
      unfit ??= { value: quote, confidence: unfitConfidence, page, span, quote, method };
    }
  }
  return unfit;
}

/** The first place that a rule finds on each page; a cell's row may be on a later page. */
function* placesOf(pages: readonly PageText[], rule: TextRule, budget: PatternBudget) {
  if (rule.method === "table-cell") {
    const found = findTableCell(pages, rule);
    const text = pages.find(({ number }) => number === found?.page)?.text;
    if (found !== undefined && text !== undefined) yield { page: found.page, text, found };
    return;
  }
  for (const { number: page, text } of pages) {
    const found = spanOf(text, rule, budget);
    if (found !== undefined) yield { page, text, found };
  }
}

function spanOf(
  text: string,
  rule: Exclude<TextRule, { readonly method: "table-cell" }>,
  budget: PatternBudget,
): Span | undefined {
  switch (rule.method) {
    case "pattern":
      return findPattern(text, rule.pattern, { after: rule.after, budget });
    case "label-value": {
      const names = new Set(rule.labels.map(fieldName));
      return findLabelledValues(text).find(({ name }) => names.has(name));
    }
    case "form":
      return findValues(text).find((value) => value.type === rule.form);
  }
}
