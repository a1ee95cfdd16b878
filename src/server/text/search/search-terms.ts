import { RecentMap } from "../../kit/recent-map.ts";
import { findWords, isStopWord, stem, type Word } from "../passages/find-terms.ts";

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
 * reference or a compound is found whole and by its parts. Words without a meaning of their own only
 * count in short texts.
 */
export function wordsOf(text: string): FoundWord[] {
  const all = findWords(text);
  const isShort = all.length <= wordsOfShortText;
  const words: FoundWord[] = [];
  for (const word of all) {
    const { terms, isTelling } = knownWord(word);
    if (!isShort && !isTelling) continue;
    for (const term of terms) words.push({ term, start: word.start, end: word.end });
  }
  return words;
}

/** The terms of a query, each once: words without a meaning count when there are no others. */
export function queryTerms(query: string): string[] {
  const words = findWords(query.normalize("NFC")).map(knownWord);
  const telling = words.filter(({ isTelling }) => isTelling);
  const terms = (telling.length > 0 ? telling : words).flatMap(({ terms: [whole] }) => whole ?? []);
  return [...new Set(terms)].slice(0, queryTermsAtMost);
}

/** Whether a word is likely to be misspelt, and not a number or a reference. */
export function isSpelt(term: string): boolean {
  return /^[\p{L}\p{M}]{3,32}$/u.test(term);
}

interface KnownWord {
  /** What it is compared by; a reference or compound gives itself first, then its parts. */
  readonly terms: readonly string[];
  readonly isTelling: boolean;
}

/** Texts say the same words again and again: working them out anew costs the most of a search. */
const known = new RecentMap<string, KnownWord>(20_000);

function knownWord(word: Word): KnownWord {
  let found = known.get(word.text);
  if (found === undefined) {
    const lower = word.text.toLowerCase();
    found = { terms: termsOf(lower, word.isIdentifier), isTelling: !isStopWord(lower) };
    // A part of a text would keep the whole of it in memory.
    if (lower.length <= termCharactersAtMost) known.set(copied(word.text), found);
  }
  return found;
}

function termsOf(lower: string, isIdentifier: boolean): string[] {
  if (lower.length > termCharactersAtMost) return [];
  const plain = copied(unaccented(lower));
  if (plain === "") return [];
  if (!isIdentifier) return compound.test(plain) ? partsOfCompound(plain) : [stem(plain)];
  return [plain, ...plain.split(/[^\p{L}\p{N}\p{M}]+/u).filter((part) => part !== "")];
}

/** Words of Chinese and Japanese that may be made of shorter ones: 桜通り of 桜 and 通り. */
const compound = /[\p{Script=Han}\p{Script=Katakana}]/u;
const compoundLettersAtMost = 8;

/** The word, and what one may look for within it: each part that begins with more than a particle. */
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

function copied(text: string): string {
  return Buffer.from(text, "utf16le").toString("utf16le");
}

/**
 * What a word can do without: accents, and the points of Hebrew and Arabic, which are seldom written.
 * Marks of other scripts are vowels, or tell one letter from another as those of kana do.
 */
const optional =
  /[[\p{Script=Inherited}--[\u3099\u309a]][\p{Script=Hebrew}&&\p{M}]]|[^\p{L}\p{N}\p{M}\-'’.\/]/gv;

/** Letters without their accents: "José" meets "jose". */
function unaccented(lower: string): string {
  if (/^[\x20-\x7e]*$/.test(lower)) return lower;
  return lower.normalize("NFKD").toLowerCase().replace(optional, "");
}
