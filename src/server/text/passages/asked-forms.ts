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

/** The words of a question with their forms; a corrected word has no other form. */
export function askedForms(
  question: string,
  languages: readonly LatinLanguage[],
  corrected: (term: string) => string,
): Map<string, readonly string[]> {
  return new Map(
    tellingWords(question, languages).map(({ term, forms }) => {
      const correct = corrected(term);
      return [correct, correct === term ? forms : []];
    }),
  );
}

/** The words of a question, each with the weight of a text's words for it. */
export class AskedForms {
  readonly #known = new Map<string, readonly (readonly [asked: string, weight: number])[]>();
  /** The words of the question as they are compared letter by letter. */
  readonly #spellings: ReadonlyMap<string, string>;

  constructor(private readonly asked: ReadonlyMap<string, readonly string[]>) {
    this.#spellings = new Map([...asked.keys()].map((term) => [term, spelling(term)]));
  }

  /** The asked words of which a word is a form. */
  of({ term, forms }: FormsOfTerm): readonly (readonly [asked: string, weight: number])[] {
    // A word has the same forms wherever a text of its language has it.
    const key = `${term} ${forms.join(" ")}`;
    let found = this.#known.get(key);
    if (found === undefined) {
      const spelt = spelling(term);
      found = [...this.asked].flatMap(([asked, askedForm]) => {
        const hasStem = forms.some((form) => form === asked || askedForm.includes(form));
        const like = formWeight(this.#spellings.get(asked) ?? asked, spelt);
        const weight = asked === term ? 1 : Math.max(hasStem ? weightOfStem : 0, like);
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
