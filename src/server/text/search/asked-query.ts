import { findWords } from "../terms/find-words.ts";
import { termsOfText, unaccented } from "../terms/terms.ts";

/** A query as its writer means it: words, phrases in quotes, and what no result may have. */
export interface AskedQuery {
  /** The text whose words are looked for, with those of the phrases. */
  readonly words: string;
  /** True if some texts with the words are no results. */
  readonly isStrict: boolean;
  /** True for texts of one result that have each phrase, and nothing that is excluded. */
  passes(texts: readonly string[]): boolean;
}

const partsAtMost = 32;
/** A phrase or a word, each with the sign of an exclusion: `-draft`, `-"not granted"`. */
const part = /(?<=^|\s)(-?)(?:["“„]([^"“”„]*)["”“](?=$|[\s.,;:!?)])|([^\s"“”„]\S*))/gu;
const letter = /[\p{L}\p{N}]/u;

/**
 * Reads the signs of a query. A hyphen excludes only at the beginning of a word, and a query of
 * exclusions alone is one of its words. A phrase has its words in their order and spelling, without
 * case and accents; an excluded word counts in each of its forms.
 */
export function readQuery(query: string): AskedQuery {
  const text = query.normalize("NFC");
  const words: string[] = [];
  const phrases: string[][] = [];
  const excluded: { readonly phrases: string[][]; readonly terms: Set<string> } = {
    phrases: [],
    terms: new Set(),
  };
  for (const [index, [whole, sign, phrase, word = ""]] of [...text.matchAll(part)].entries()) {
    const content = phrase ?? word;
    const isSign = sign === "-" && letter.test(content) && index < partsAtMost;
    if (!isSign) {
      words.push(phrase ?? whole);
      if (phrase !== undefined && index < partsAtMost) phrases.push(spelt(phrase));
    } else if (phrase === undefined) {
      for (const term of termsOfText(word).slice(0, 1)) excluded.terms.add(term);
    } else {
      excluded.phrases.push(spelt(phrase));
    }
  }
  const wanted = phrases.filter(({ length }) => length > 0);
  const isOnlyExcluded = !words.some((each) => letter.test(each));
  const isStrict =
    !isOnlyExcluded &&
    (wanted.length > 0 || excluded.phrases.length > 0 || excluded.terms.size > 0);
  return {
    words: isOnlyExcluded ? text : words.join(" "),
    isStrict,
    passes(texts) {
      if (!isStrict) return true;
      const spellings = texts.map(spelt);
      const has = (phrase: readonly string[]) => spellings.some((each) => hasRun(each, phrase));
      if (!wanted.every(has) || excluded.phrases.some(has)) return false;
      if (excluded.terms.size === 0) return true;
      return !texts.some((each) => termsOfText(each).some((term) => excluded.terms.has(term)));
    },
  };
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
