import { RecentMap } from "../../kit/recent-map.ts";
import {
  findJoined,
  findWords,
  isIdentifier,
  isStopWord,
  partsOf,
  stem,
  type Word,
} from "./find-words.ts";

/*
 * The terms of all searches: records, documents, questions and classifiers. A term is a word
 * without its case, accents and English endings.
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
const wordsOfShortText = 12;
const queryTermsAtMost = 16;

/**
 * The words of an NFC text, stemmed and without accents. A reference or compound gives itself and
 * its parts. Stop words count only in short texts.
 */
export function indexTerms(text: string): Term[] {
  const found: Term[] = [];
  visitTerms(text, (term, { start, end }) => found.push({ term, start, end }));
  return found;
}

/** The terms of {@link indexTerms} without their places, which takes a third less time. */
export function termsOfText(text: string): string[] {
  const found: string[] = [];
  visitTerms(text, (term) => found.push(term));
  return found;
}

function visitTerms(text: string, visit: (term: string, word: Word) => void): void {
  const all = findWords(text);
  const isShort = all.length <= wordsOfShortText;
  for (const word of all) {
    const { terms, isTelling } = knownWord(word);
    if (!isShort && !isTelling) continue;
    for (const term of terms) visit(term, word);
  }
}

/** One term for each word that is not a stop word. */
export function findTerms(text: string): Term[] {
  return findWords(text).flatMap((word) => {
    const { terms, isTelling } = knownWord(word);
    const [term] = terms;
    return isTelling && term !== undefined ? [{ term, start: word.start, end: word.end }] : [];
  });
}

/** The most parts of a reference within a longer name: PA-2026-0042 has three. */
const referenceParts = 5;

/**
 * The terms of a file name: its parts, the whole with and without its ending, then the references
 * in it. `PA-2026-0042-plans.pdf` as a whole is one reference that few questions contain.
 */
export function findNameTerms(name: string): Set<string> {
  const found = new Set<string>();
  const wholes: string[] = [];
  const references: string[] = [];
  for (const joined of findJoined(name)) {
    const parts = partsOf(joined);
    wholes.push(joined, joined.replace(/\.[^.]*$/, ""));
    for (const [at, part] of parts.entries()) {
      const { terms, isTelling } = knownWord({ text: part.text, isIdentifier: false });
      if (isTelling) for (const term of terms) found.add(term);
      for (const last of parts.slice(at + 1, at + referenceParts)) {
        references.push(joined.slice(part.start, last.start + last.text.length));
      }
    }
  }
  for (const run of [...wholes, ...references].filter(isIdentifier)) {
    for (const term of termsOf(run.toLowerCase(), true).slice(0, 1)) found.add(term);
  }
  return found;
}

/** The different terms of a query. Stop words count only if there are no other words. */
export function queryTerms(query: string, limit = queryTermsAtMost): string[] {
  const words = findWords(query.normalize("NFC")).map(knownWord);
  const telling = words.filter(({ isTelling }) => isTelling);
  const terms = (telling.length > 0 ? telling : words).flatMap(({ terms: [whole] }) => whole ?? []);
  return [...new Set(terms)].slice(0, limit);
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
    const lower = word.text.toLowerCase();
    found = { terms: termsOf(lower, word.isIdentifier), isTelling: !isStopWord(lower) };
    // A slice would keep the whole text in memory.
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

function copied(text: string): string {
  return Buffer.from(text, "utf16le").toString("utf16le");
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
