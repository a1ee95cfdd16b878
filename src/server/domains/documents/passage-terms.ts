import { findNameStems, findTerms, isIdentifier } from "../../text/passages/find-terms.ts";

/** Distinct words of a question that a search uses. */
const questionTermsAtMost = 32;
const nameTermsAtMost = 40;
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

/** The distinct terms of a document's name, which count for each of its passages. */
export function nameTerms({
  filename,
  title,
}: {
  readonly filename: string;
  readonly title?: string | null | undefined;
}): string[] {
  const stems = findNameStems(`${filename} ${title ?? ""}`.normalize("NFC"));
  return [...stems].filter((stem) => stem.length <= termCharactersAtMost).slice(0, nameTermsAtMost);
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
