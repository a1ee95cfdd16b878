import { RecentMap } from "../../kit/recent-map.ts";
import { findWords, isStopWord, stem, type Word } from "./find-words.ts";

/*
 * The terms of questions, quotes and classifiers. A term is a word without its case, accents and
 * common English endings; searches compare all forms of a word, as `text-words.ts` finds them.
 */

/** A term and the place of its word; offsets are UTF-16 units. */
export interface Term {
  readonly term: string;
  readonly start: number;
  readonly end: number;
}

/** A longer "word" is encoded data. */
const termCharactersAtMost = 64;
/** Stop words count in a text of at most so many words, e.g. a name: "The Who", "May". */
export const wordsOfShortText = 12;

/** One term for each word that is not a stop word. */
export function findTerms(text: string): Term[] {
  return findWords(text).flatMap((word) => {
    const { terms, isTelling } = knownWord(word);
    const [term] = terms;
    return isTelling && term !== undefined ? [{ term, start: word.start, end: word.end }] : [];
  });
}

/** True for a word that may be misspelt; false for numbers and references. */
export function isSpelt(term: string): boolean {
  return /^[\p{L}\p{M}]{3,32}$/u.test(term);
}

interface KnownWord {
  /** A reference or compound gives itself first, then its parts. */
  readonly terms: readonly string[];
  readonly isTelling: boolean;
}

/** Caches the terms of words, which take most of the time of a search. */
const known = new RecentMap<string, KnownWord>(20_000);

function knownWord(word: Pick<Word, "text" | "isIdentifier">): KnownWord {
  let found = known.get(word.text);
  if (found === undefined) {
    const text = copied(word.text);
    found = newWord(text, word.isIdentifier);
    if (text.length <= termCharactersAtMost) known.set(text, found);
  }
  return found;
}

/** The terms of a word that no cache has; its text must be no slice of a longer one. */
export function newWord(text: string, isIdentifier: boolean): KnownWord {
  const lower = text.toLowerCase();
  return { terms: termsOf(lower, isIdentifier), isTelling: !isStopWord(lower) };
}

function termsOf(lower: string, isIdentifier: boolean): string[] {
  if (lower.length > termCharactersAtMost) return [];
  const plain = unaccented(lower);
  if (plain === "") return [];
  if (!isIdentifier) return compound.test(plain) ? partsOfCompound(plain) : [stem(plain)];
  return [plain, ...plain.split(/[^\p{L}\p{N}\p{M}]+/u).filter((part) => part !== "")];
}

/** Chinese and Japanese words may consist of shorter ones: 桜通り of 桜 and 通り. */
const compound = /[\p{Script=Han}\p{Script=Katakana}]/u;
const compoundLettersAtMost = 8;

/** The word and each of its parts that does not begin with a particle. */
function partsOfCompound(plain: string): string[] {
  const word = plain.normalize("NFC");
  const letters = Array.from(word);
  if (letters.length > compoundLettersAtMost) return [word];
  const parts = letters.flatMap((letter, from) =>
    compound.test(letter)
      ? letters.slice(from).map((_, at) => letters.slice(from, from + at + 1).join(""))
      : [],
  );
  return [...new Set([word, ...parts])];
}

/** The text without the longer one that it is a part of, which it would keep in memory. */
export function copied(text: string): string {
  // A copy of ASCII in two bytes per letter would also be slower to look up.
  const encoding = isAscii(text) ? "latin1" : "utf16le";
  return Buffer.from(text, encoding).toString(encoding);
}

/** True for a text that keeps its letters without accents and in every form of Unicode. */
export function isAscii(text: string): boolean {
  return /^[\0-\x7f]*$/.test(text);
}

/**
 * Accents, and the points of Hebrew and Arabic, which are rarely written. Marks of other scripts
 * are vowels or distinguish letters, as those of kana do.
 */
const optional =
  /[[\p{Script=Inherited}--[\u3099\u309a]][\p{Script=Hebrew}&&\p{M}]]|[^\p{L}\p{N}\p{M}\-'’.\/]/gv;

/** Letters without their accents: "José" meets "jose". */
export function unaccented(lower: string): string {
  if (/^[\x20-\x7e]*$/.test(lower)) return lower;
  return lower.normalize("NFKD").toLowerCase().replace(optional, "");
}
