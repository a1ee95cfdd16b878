import { formWeight } from "../search/word-forms.ts";

/** The words of a question, each with the weight of a text's words for it. */
export class AskedForms {
  readonly #known = new Map<string, readonly (readonly [asked: string, weight: number])[]>();

  constructor(private readonly asked: ReadonlySet<string>) {}

  /** The asked words of which a word is a form. */
  of(word: string): readonly (readonly [asked: string, weight: number])[] {
    let found = this.#known.get(word);
    if (found === undefined) {
      found = [...this.asked].flatMap((term) => {
        const weight = formWeight(term, word);
        return weight === 0 ? [] : [[term, weight] as const];
      });
      this.#known.set(word, found);
    }
    return found;
  }

  /** The best weight of each asked word among the words of a text. */
  in(words: Iterable<string>): Map<string, number> {
    const best = new Map<string, number>();
    for (const word of words) {
      for (const [term, weight] of this.of(word)) {
        if (weight > (best.get(term) ?? 0)) best.set(term, weight);
      }
    }
    return best;
  }
}
