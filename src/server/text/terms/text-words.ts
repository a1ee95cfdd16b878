import { RecentMap } from "../../kit/recent-map.ts";
import { findJoined, findWords, isIdentifier, partsOf, type Word } from "./find-words.ts";
import { languagesOf, type LatinLanguage } from "./languages.ts";
import { stemsOf } from "./stems.ts";
import { copied, isAscii, newWord, unaccented, wordsOfShortText } from "./terms.ts";

/*
 * The words of a text as the search index and every ranking know them. A word counts for a word of
 * a query if they have a form in common: the word itself, or its stem in the text's language.
 */

/** A word of a text; offsets are UTF-16 code units. */
export interface TextWord {
  /** The word without case, accents and common English endings; see `terms.ts`. */
  readonly term: string;
  /** The word without case and accents, then a reference without its signs, and its stems. */
  readonly forms: readonly string[];
  readonly start: number;
  readonly end: number;
}

/** The words of an NFC text. A reference or compound gives itself and its parts. */
export function wordsOfText(text: string): TextWord[] {
  const found: TextWord[] = [];
  visitWords(text, ({ term, forms }, { start, end }) => found.push({ term, forms, start, end }));
  return found;
}

/**
 * Visits {@link wordsOfText}; stop words count only in a short text, such as a name. Returns the
 * text's language if it is sure.
 */
export function visitWords(
  text: string,
  visit: (word: FormsOfTerm, place: Word) => void,
): readonly LatinLanguage[] {
  const all = findWords(text);
  const { languages, isSure } = languagesOf(all);
  const isShort = all.length <= wordsOfShortText;
  const known = cacheOf(languages);
  for (const word of all) {
    const { words, isTelling } = formsOfWord(word, languages, known);
    if (!isShort && !isTelling) continue;
    for (const each of words) visit(each, word);
  }
  return isSure ? languages : [];
}

/** The most parts of a reference within a longer name: PA-2026-0042 has three. */
const referenceParts = 5;

/**
 * The distinct words of a file name: its parts, the whole with and without its ending, then the
 * references in it. `PA-2026-0042-plans.pdf` as a whole is one reference that few questions have.
 */
export function wordsOfName(name: string): FormsOfTerm[] {
  const found = new Map<string, FormsOfTerm>();
  const wholes: string[] = [];
  const references: string[] = [];
  const { languages } = languagesOf(findWords(name));
  for (const joined of findJoined(name)) {
    const parts = partsOf(joined);
    wholes.push(joined, joined.replace(/\.[^.]*$/, ""));
    for (const [at, part] of parts.entries()) {
      const word = formsOfWord({ text: part.text, isIdentifier: false }, languages);
      if (word.isTelling) for (const each of word.words) found.set(each.term, each);
      for (const last of parts.slice(at + 1, at + referenceParts)) {
        references.push(joined.slice(part.start, last.start + last.text.length));
      }
    }
  }
  for (const text of [...wholes, ...references].filter(isIdentifier)) {
    const [whole] = formsOfWord({ text, isIdentifier: true }, languages).words;
    if (whole !== undefined) found.set(whole.term, whole);
  }
  return [...found.values()];
}

/** A word or a part of one without its place. */
export type FormsOfTerm = Pick<TextWord, "term" | "forms">;

export interface FormsOfWord {
  /** A reference or compound gives itself first, then its parts. */
  readonly words: readonly FormsOfTerm[];
  /** False for a stop word. */
  readonly isTelling: boolean;
}

/** Caches the forms of words by their languages, which take most of the time of a search. */
const caches = new RecentMap<string, RecentMap<string, FormsOfWord>>(12);
/** Words of each cache: most texts are English, and few are of two languages. */
const cachedWords = { english: 40_000, others: 20_000 };
/** A longer "word" is encoded data. */
const keptCharacters = 64;

function cacheOf(languages: readonly LatinLanguage[]): RecentMap<string, FormsOfWord> {
  const [first = "", ...others] = languages;
  const key = others.length === 0 ? first : languages.join(" ");
  let cache = caches.get(key);
  if (cache === undefined) {
    cache = new RecentMap(key === "en" ? cachedWords.english : cachedWords.others);
    caches.set(key, cache);
  }
  return cache;
}

/** The forms of a word of a text in these languages. */
export function formsOfWord(
  word: Pick<Word, "text" | "isIdentifier">,
  languages: readonly LatinLanguage[],
  known = cacheOf(languages),
): FormsOfWord {
  // A correction has the letters of a reference without being one; no word ends with a slash.
  const key = word.isIdentifier ? `${word.text}/` : word.text;
  const before = known.get(key);
  if (before !== undefined) return before;
  const text = copied(word.text);
  const { terms, isTelling } = newWord(text, word.isIdentifier);
  const lower = text.toLowerCase();
  const words = terms.map((term, at) => {
    if (word.isIdentifier) return { term, forms: at === 0 ? formsOfReference(term) : [term] };
    // The parts of a compound have no endings.
    return { term, forms: terms.length > 1 ? [term] : formsOf(lower, languages) };
  });
  const made = { words, isTelling };
  if (lower.length <= keptCharacters) known.set(word.isIdentifier ? `${text}/` : text, made);
  return made;
}

function formsOfReference(term: string): string[] {
  return [term, term.replaceAll(/[-'’./]/gu, "")];
}

/** The whole word without accents, then its stems, also those of the word without accents. */
function formsOf(lower: string, languages: readonly LatinLanguage[]): string[] {
  if (isAscii(lower)) return distinct([lower, ...stemsOf(lower, languages).map(unaccented)]);
  const plain = unaccented(lower);
  const written = lower.normalize("NFC");
  const stems = stemsOf(written, languages).map(unaccented);
  const ofPlain = plain === written ? [] : stemsOf(plain, languages);
  return distinct([plain, ...stems, ...ofPlain]);
}

function distinct(forms: readonly string[]): string[] {
  return forms.filter((form, at) => form !== "" && forms.indexOf(form) === at);
}
