import { findNameTerms, queryTerms, termsOfText } from "../../text/terms/terms.ts";

/** Distinct words of a question that a search uses. */
const questionTermsAtMost = 32;
const nameTermsAtMost = 40;

/** The search terms of a text in order, with repetitions. */
export function textTerms(text: string): string[] {
  return termsOfText(text.normalize("NFC"));
}

/** The search terms of a passage and of its headings, which count twice. */
export function passageTerms({
  text,
  headings,
}: {
  readonly text: string;
  readonly headings: string;
}): string[] {
  return [...textTerms(text), ...textTerms(headings)];
}

/** The distinct terms of a document's name, which count for each of its passages. */
export function nameTerms({
  filename,
  title,
}: {
  readonly filename: string;
  readonly title?: string | null | undefined;
}): string[] {
  const terms = findNameTerms(`${filename} ${title ?? ""}`.normalize("NFC"));
  return [...terms].slice(0, nameTermsAtMost);
}

/** The distinct terms of a question. */
export function questionTerms(question: string): string[] {
  return queryTerms(question, questionTermsAtMost);
}
