import { findJoined, findWords } from "../terms/find-words.ts";
import type { LatinLanguage } from "../terms/languages.ts";
import { unaccented } from "../terms/terms.ts";
import { wordsOfText } from "../terms/text-words.ts";
import { askedTerms, languagesOfQuery, TermFinder } from "./asked-terms.ts";
import type { AskedTerm } from "./asked-terms.ts";

/** A query as its writer means it: words, phrases in quotes, and what no result may have. */
export interface AskedQuery {
  /** The text whose words are looked for, with those of the phrases and without prefixes. */
  readonly words: string;
  /** The words of {@link words} and the prefixes, as the index has them. */
  readonly terms: readonly AskedTerm[];
  /** The languages of the stems of {@link terms}. */
  readonly languages: readonly LatinLanguage[];
  /** True if some texts with the words are no results. */
  readonly isStrict: boolean;
  /** True for texts of one result that have each phrase, and nothing that is excluded. */
  passes(texts: readonly string[]): boolean;
}

const partsAtMost = 32;
/** A phrase or a word, each with the sign of an exclusion: `-draft`, `-"not granted"`. */
const part = /(?<=^|\s)(-?)(?:["“„]([^"“”„]*)["”“](?=$|[\s.,;:!?)])|([^\s"“”„]\S*))/gu;
const letter = /[\p{L}\p{N}]/u;
/** The shortest beginning of a word that is looked for. */
const prefixAtLeast = 2;

/**
 * Reads the signs of a query. A hyphen excludes only at the beginning of a word, and a query of
 * exclusions alone is one of its words. A phrase has its words in their order and spelling, without
 * case and accents; an excluded word counts in each of its forms; `VX-17*` is the beginning of a
 * word. `ofWorkspace` are the languages of the workspace's texts.
 */
export function readQuery(query: string, ofWorkspace: readonly LatinLanguage[] = []): AskedQuery {
  const text = query.normalize("NFC");
  const words: string[] = [];
  const phrases: string[][] = [];
  const prefixes: string[] = [];
  const excluded = { phrases: [] as string[][], words: [] as string[], prefixes: [] as string[] };
  for (const [index, [whole, sign, phrase, word = ""]] of [...text.matchAll(part)].entries()) {
    const content = phrase ?? word;
    const isSign = sign === "-" && letter.test(content) && index < partsAtMost;
    const prefix = phrase === undefined ? prefixOf(word) : undefined;
    if (!isSign) {
      if (prefix === undefined) words.push(phrase ?? whole);
      else prefixes.push(prefix);
      if (phrase !== undefined && index < partsAtMost) phrases.push(spelt(phrase));
    } else if (phrase !== undefined) excluded.phrases.push(spelt(phrase));
    else if (prefix === undefined) excluded.words.push(word);
    else excluded.prefixes.push(prefix);
  }
  const isOnlyExcluded = prefixes.length === 0 && !words.some((each) => letter.test(each));
  const asked = isOnlyExcluded ? text : words.join(" ");
  const languages = languagesOfQuery(asked, ofWorkspace);
  const wanted = phrases.filter(({ length }) => length > 0);
  const denied = deniedTerms(excluded, languages);
  const isStrict =
    !isOnlyExcluded && (wanted.length > 0 || excluded.phrases.length > 0 || denied !== undefined);
  return {
    words: asked,
    terms: askedTerms(asked, languages, prefixes),
    languages,
    isStrict,
    passes(texts) {
      if (!isStrict) return true;
      const spellings = texts.map(spelt);
      const has = (phrase: readonly string[]) => spellings.some((each) => hasRun(each, phrase));
      if (!wanted.every(has) || excluded.phrases.some(has)) return false;
      if (denied === undefined) return true;
      return !texts.some((each) => wordsOfText(each).some((word) => denied.termsOf(word).length));
    },
  };
}

/** The beginning of a word that `begin*` looks for, without case and accents. */
function prefixOf(word: string): string | undefined {
  if (!word.endsWith("*")) return undefined;
  // `PA-2026-*` is the beginning of the same references as `PA-2026*`.
  const begin = word.slice(0, -1).replace(/[-'’./]+$/u, "");
  const [joined, ...others] = findJoined(begin);
  if (joined !== begin || others.length > 0) return undefined;
  const plain = unaccented(begin.toLowerCase());
  return plain.length < prefixAtLeast ? undefined : plain;
}

/** The words that no result may have; undefined where only phrases are excluded. */
function deniedTerms(
  excluded: { readonly words: readonly string[]; readonly prefixes: readonly string[] },
  languages: readonly LatinLanguage[],
): TermFinder | undefined {
  if (excluded.words.length + excluded.prefixes.length === 0) return undefined;
  return new TermFinder([
    // The whole of a reference, or the first of several words that are joined.
    ...excluded.words.flatMap((word) => askedTerms(word, languages).slice(0, 1)),
    ...askedTerms("", languages, excluded.prefixes),
  ]);
}

/** Signs of a title that the query may lack; a much longer text is not split into words. */
const fewSigns = 64;

/** The text of a query whose misspelt words are corrected, to find a title that is this text. */
export class WholeText {
  readonly #words: readonly string[];
  readonly #charactersAtMost: number;

  /**
   * `corrections` are the correct words by the misspelt ones. A query with the beginning of a word
   * is no whole text: its other words alone are another one.
   */
  constructor(
    { words, terms }: Pick<AskedQuery, "words" | "terms">,
    corrections: ReadonlyMap<string, string>,
  ) {
    const isWhole = terms.every(({ prefixes }) => prefixes.length === 0);
    this.#words = isWhole ? spelt(words).map((word) => corrections.get(word) ?? word) : [];
    this.#charactersAtMost = isWhole ? 2 * words.length + fewSigns : 0;
  }

  /** True for a text of the same words in the same order, without case, accents and signs. */
  is(text: string): boolean {
    if (text.length > this.#charactersAtMost) return false;
    const words = spelt(text);
    const isSame = (word: string, at: number): boolean => word === this.#words[at];
    return words.length > 0 && words.length === this.#words.length && words.every(isSame);
  }
}

/** The words of a text as they are spelt, without case and accents. */
function spelt(text: string): string[] {
  return findWords(text.normalize("NFC")).map((word) => unaccented(word.text.toLowerCase()));
}

function hasRun(words: readonly string[], run: readonly string[]): boolean {
  const [first] = run;
  return words.some(
    (word, at) => word === first && run.every((each, offset) => words[at + offset] === each),
  );
}
