import { formWeight } from "../search/word-forms.ts";
import { lightArabicStem } from "../terms/arabic.ts";
import { findWords } from "../terms/find-words.ts";
import type { LatinLanguage } from "../terms/languages.ts";
import { formsOfWord, type FormsOfTerm } from "../terms/text-words.ts";

/** The weight of a word with the same stem, next to the word itself. */
const weightOfStem = 0.9;
/** Words with an article in front of the stem begin alike without being forms of one word. */
const arabic = /\p{Script=Arabic}/u;

/** The words of a text that are no stop words, with their forms in these languages. */
export function tellingWords(text: string, languages: readonly LatinLanguage[]): FormsOfTerm[] {
  return findWords(text).flatMap((word) => {
    const { words, isTelling } = formsOfWord(word, languages);
    return isTelling ? words.slice(0, 1) : [];
  });
}

/** A word of a question as texts may have it. */
export interface AskedWord {
  readonly forms: readonly string[];
  /** The word that it may be a misspelling of, with the weight of that one. */
  readonly correction?: Correction | undefined;
}

/** The word that replaces a misspelt one; `weight` is 1 if that is sure. */
export interface Correction {
  readonly word: string;
  readonly weight: number;
}

/** The words of a question with their forms; one that is surely misspelt is the correct one. */
export function askedForms(
  question: string,
  languages: readonly LatinLanguage[],
  correctionOf: (term: string) => Correction | undefined,
): Map<string, AskedWord> {
  return new Map(
    tellingWords(question, languages).map(({ term, forms }): [string, AskedWord] => {
      const correction = correctionOf(term);
      const isSure = correction?.weight === 1;
      return isSure ? [correction.word, { forms: [] }] : [term, { forms, correction }];
    }),
  );
}

/** The words of a question, each with the weight of a text's words for it. */
export class AskedForms {
  readonly #known = new Map<string, readonly (readonly [asked: string, weight: number])[]>();
  /** The words of the question as they are compared letter by letter. */
  readonly #spellings: ReadonlyMap<string, string>;

  constructor(private readonly asked: ReadonlyMap<string, AskedWord>) {
    const words = [...asked].flatMap(([term, { correction }]) => [term, correction?.word ?? term]);
    this.#spellings = new Map(words.map((word) => [word, spelling(word)]));
  }

  /** The asked words of which a word is a form. */
  of({ term, forms }: FormsOfTerm): readonly (readonly [asked: string, weight: number])[] {
    // A word has the same forms wherever a text of its language has it.
    const key = `${term} ${forms.join(" ")}`;
    let found = this.#known.get(key);
    if (found === undefined) {
      const spelt = spelling(term);
      const weightOf = (asked: string, askedForm: readonly string[]): number => {
        if (asked === term) return 1;
        const hasStem = forms.some((form) => form === asked || askedForm.includes(form));
        const like = formWeight(this.#spellings.get(asked) ?? asked, spelt);
        return Math.max(hasStem ? weightOfStem : 0, like);
      };
      found = [...this.asked].flatMap(([asked, { forms: own, correction }]) => {
        const other = correction === undefined ? 0 : weightOf(correction.word, []);
        const weight = Math.max(weightOf(asked, own), other * (correction?.weight ?? 0));
        return weight === 0 ? [] : [[asked, weight] as const];
      });
      this.#known.set(key, found);
    }
    return found;
  }

  /** The best weight of each asked word among the words of a text. */
  in(words: Iterable<FormsOfTerm>): Map<string, number> {
    const best = new Map<string, number>();
    for (const word of words) {
      for (const [term, weight] of this.of(word)) {
        if (weight > (best.get(term) ?? 0)) best.set(term, weight);
      }
    }
    return best;
  }
}

function spelling(term: string): string {
  return arabic.test(term) ? lightArabicStem(term) : term;
}
