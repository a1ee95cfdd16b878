import { findTerms, isIdentifier, isStopWord, stem } from "../passages/terms.ts";

/** A word of a text: `term` is what words are compared by, offsets are UTF-16 units. */
export interface FoundWord {
  readonly term: string;
  readonly start: number;
  readonly end: number;
}

/** A longer "word" is an encoded blob. */
const termCharactersAtMost = 64;
/** In a shorter text, e.g. a name, every word may be what it is about: "The Who", "May". */
const wordsOfShortText = 12;
const queryTermsAtMost = 16;

/**
 * The words of a text in form NFC, by the same stems as those of documents and without accents. A
 * reference is found whole and by its parts. Words without a meaning of their own only count in
 * short texts.
 */
export function wordsOf(text: string): FoundWord[] {
  const all = findTerms(text, { keepsStopWords: true });
  const isShort = all.length <= wordsOfShortText;
  return all.flatMap(({ start, end }) => {
    const lower = text.slice(start, end).toLowerCase();
    if (!isShort && isStopWord(lower)) return [];
    return termsOf(lower).map((term) => ({ term, start, end }));
  });
}

/** The terms of a query, each once: words without a meaning count when there are no others. */
export function queryTerms(query: string): string[] {
  const text = query.normalize("NFC");
  const telling = findTerms(text);
  const words = telling.length > 0 ? telling : findTerms(text, { keepsStopWords: true });
  const terms = words.flatMap(({ start, end }) => {
    const [whole] = termsOf(text.slice(start, end).toLowerCase());
    return whole === undefined ? [] : [whole];
  });
  return [...new Set(terms)].slice(0, queryTermsAtMost);
}

/** Whether a word is likely to be misspelt, and not a number or a reference. */
export function isSpelt(term: string): boolean {
  return /^\p{L}{3,32}$/u.test(term);
}

/** What a word is compared by; a reference gives itself first, then its parts. */
function termsOf(lower: string): string[] {
  if (lower.length > termCharactersAtMost) return [];
  const plain = unaccented(lower);
  if (plain === "") return [];
  if (!isIdentifier(lower)) return [stem(plain)];
  return [plain, ...plain.split(/[^\p{L}\p{N}]+/u).filter((part) => part !== "")];
}

/** Letters without their accents: "José" meets "jose". */
function unaccented(lower: string): string {
  if (/^[\x20-\x7e]*$/.test(lower)) return lower;
  return lower
    .normalize("NFKD")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\-'’./]/gu, "");
}
