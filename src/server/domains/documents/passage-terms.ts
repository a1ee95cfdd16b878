import { findTerms, isIdentifier } from "../../text/passages/find-terms.ts";

/** Distinct words of a question that a search uses. */
const questionTermsAtMost = 32;
/** A longer "word" is encoded data, which the index leaves out. */
const termCharactersAtMost = 64;

/**
 * The search terms of a text in order, with repetitions. Questions use the same stems. A reference
 * such as `PA-2026-0042` gives a term for the whole and for each part.
 */
export function passageTerms(text: string): string[] {
  return stems(text).flatMap((stem) =>
    isIdentifier(stem) ? [stem, ...stem.split(/[^\p{L}\p{N}\p{M}]+/u).filter(Boolean)] : [stem],
  );
}

/** The distinct terms of a question. */
export function questionTerms(question: string): string[] {
  return [...new Set(stems(question))].slice(0, questionTermsAtMost);
}

function stems(text: string): string[] {
  return findTerms(text.normalize("NFC"))
    .map((term) => term.stem)
    .filter((stem) => stem.length <= termCharactersAtMost);
}
