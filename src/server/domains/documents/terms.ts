import { findTerms, isIdentifier } from "../../text/passages/find-terms.ts";

/** Distinct words of a question that are searched by. */
const questionTermsAtMost = 32;
/** A longer "word" is an encoded blob, and no index takes it. */
const termCharactersAtMost = 64;

/**
 * The terms by which a passage is found, in order and as often as they stand there. Question and
 * passage go through the same words and stems, so both engines match alike. A reference is found
 * whole and by its parts.
 */
export function passageTerms(text: string): string[] {
  return stems(text).flatMap((stem) =>
    isIdentifier(stem) ? [stem, ...stem.split(/[^\p{L}\p{N}\p{M}]+/u).filter(Boolean)] : [stem],
  );
}

/** The terms of a question, each once. */
export function questionTerms(question: string): string[] {
  return [...new Set(stems(question))].slice(0, questionTermsAtMost);
}

function stems(text: string): string[] {
  return findTerms(text.normalize("NFC"))
    .map((term) => term.stem)
    .filter((stem) => stem.length <= termCharactersAtMost);
}
