import { findWords } from "../terms/find-words.ts";
import { languagesOf, type LatinLanguage } from "../terms/languages.ts";
import { unaccented } from "../terms/terms.ts";
import type { NumberedTexts } from "../terms/numbered-words.ts";
import { formsOfWord, type FormsOfTerm } from "../terms/text-words.ts";

/** A term of the index, or the beginning of some. */
export type IndexedTerm = string | { readonly prefix: string };

/** A word of a query, or the beginning of one. */
export interface AskedTerm {
  /** Names the term: its word without common English endings, as in `terms.ts`. */
  readonly term: string;
  /** The word without case and accents, by which its spelling is corrected. */
  readonly word: string;
  /** A word of a text counts if it has one of these forms. */
  readonly forms: readonly string[];
  /** A word of a text counts if it begins with one of these. */
  readonly prefixes: readonly string[];
  /** Terms by which the index finds its texts, also those that an earlier build has written. */
  readonly indexed: readonly IndexedTerm[];
  /** How often the query has it. */
  readonly times: number;
}

/** Distinct terms of a query that are looked up; the rest of a long query is not searched. */
const termsAtMost = 64;
const prefixesAtMost = 8;
/** Languages of a workspace that count for a query whose language is not clear. */
const languagesAtMost = 8;

/**
 * The languages whose stems a query has: its own where it is clear and the workspace has texts of
 * it; otherwise those of the workspace, and what the query may be.
 */
export function languagesOfQuery(
  query: string,
  ofWorkspace: readonly LatinLanguage[],
): readonly LatinLanguage[] {
  const { languages, isSure } = languagesOf(findWords(query));
  const [best] = languages;
  if (isSure && best !== undefined && ofWorkspace.includes(best)) return languages;
  return [...new Set([...ofWorkspace, ...languages])].slice(0, languagesAtMost);
}

/** The different terms of an NFC query. Stop words count only if there are no other words. */
export function askedTerms(
  query: string,
  languages: readonly LatinLanguage[],
  prefixes: readonly string[] = [],
): AskedTerm[] {
  const words = findWords(query).map((word) => ({
    ...formsOfWord(word, languages),
    word: unaccented(word.text.toLowerCase()),
  }));
  const telling = words.filter(({ isTelling }) => isTelling);
  const isPlain = telling.length > 0 || prefixes.length > 0;
  const found = new Map<string, AskedTerm>();
  for (const begin of prefixes.slice(0, prefixesAtMost)) {
    const term = askedPrefix(begin);
    found.set(term.term, term);
  }
  for (const {
    words: [whole],
    word,
  } of isPlain ? telling : words) {
    if (whole === undefined) continue;
    const before = found.get(whole.term);
    if (before === undefined && found.size === termsAtMost) continue;
    found.set(whole.term, joined(before, termOf(whole, word)));
  }
  return [...found.values()];
}

/** The term of one word without case and accents, such as a correction. */
export function askedWord(word: string, languages: readonly LatinLanguage[]): AskedTerm {
  const [found] = formsOfWord({ text: word, isIdentifier: false }, languages).words;
  return termOf(found ?? { term: word, forms: [word] }, word);
}

function termOf({ term, forms }: FormsOfTerm, word: string): AskedTerm {
  return { term, word, forms, prefixes: [], indexed: [...new Set([...forms, term])], times: 1 };
}

function joined(before: AskedTerm | undefined, next: AskedTerm): AskedTerm {
  if (before === undefined) return next;
  return {
    ...before,
    forms: [...new Set([...before.forms, ...next.forms])],
    indexed: [...new Set([...before.indexed, ...next.indexed])],
    times: before.times + 1,
  };
}

/** `VX-17*` also finds VX1741, and `VX17*` finds VX-1741. */
function askedPrefix(begin: string): AskedTerm {
  const prefixes = [...new Set([begin, begin.replaceAll(/[-'’./]/gu, "")])];
  const indexed = prefixes.map((prefix) => ({ prefix }));
  return { term: `${begin}*`, word: begin, forms: [], prefixes, indexed, times: 1 };
}

/** Finds which terms of a query each word of a text counts for. */
export class TermFinder {
  readonly #byForm = new Map<string, readonly string[]>();
  readonly #prefixes: readonly { readonly prefix: string; readonly term: string }[];
  /** The terms of words by their forms, which texts share. */
  readonly #known = new Map<readonly string[], readonly string[]>();

  constructor(terms: readonly AskedTerm[]) {
    for (const { term, forms } of terms) {
      for (const form of forms) {
        this.#byForm.set(form, [...(this.#byForm.get(form) ?? []), term]);
      }
    }
    this.#prefixes = terms.flatMap(({ term, prefixes }) =>
      prefixes.map((prefix) => ({ prefix, term })),
    );
  }

  /** The names of the terms, each once. */
  termsOf(word: FormsOfTerm): readonly string[] {
    let found = this.#known.get(word.forms);
    if (found === undefined) {
      found = this.#termsOf(word);
      this.#known.set(word.forms, found);
    }
    return found;
  }

  #termsOf({ forms, term: own }: FormsOfTerm): readonly string[] {
    let found: readonly string[] = none;
    for (const form of forms) {
      const terms = this.#byForm.get(form);
      if (terms !== undefined) {
        found = found.length === 0 ? terms : [...new Set([...found, ...terms])];
      }
    }
    if (this.#prefixes.length === 0) return found;
    // Stems are no beginnings of the word itself; a reference has two spellings.
    const spellings = /\p{N}/u.test(own) ? forms : forms.slice(0, 1);
    const begun = this.#prefixes.filter(({ prefix }) =>
      spellings.some((spelling) => spelling.startsWith(prefix)),
    );
    return begun.length === 0 ? found : [...new Set([...found, ...begun.map(({ term }) => term)])];
  }

  /** How often each text has each term, and the number of its words. */
  count({ texts, numbers }: NumberedTexts): CountedText[] {
    const found: (readonly string[] | undefined)[] = [];
    for (const form of this.#byForm.keys()) {
      for (const word of numbers.having(form)) found[word] ??= this.termsOf(numbers.word(word));
    }
    const hasPrefixes = this.#prefixes.length > 0;
    return texts.map((words) => {
      const counts = new Map<string, number>();
      // An iterator of numbers would take longer than the rest.
      for (let at = 0; at < words.length; at += 1) {
        const word = words[at] ?? 0;
        let terms = found[word];
        if (terms === undefined) {
          if (!hasPrefixes) continue;
          terms = found[word] = this.termsOf(numbers.word(word));
        }
        for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1);
      }
      return { counts, length: words.length };
    });
  }
}

export interface CountedText {
  readonly counts: ReadonlyMap<string, number>;
  readonly length: number;
}

const none: readonly string[] = [];

/** BM25's saturation of a word that a query repeats. */
const querySaturation = 8;

/** The weight of a term that a query has several times, next to one that it has once. */
export function weightOfTimes(times: number): number {
  return ((querySaturation + 1) * times) / (querySaturation + times);
}
