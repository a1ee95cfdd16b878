import { findWords } from "#server/text/terms/find-words.ts";
import { languagesOf, type LatinLanguage } from "#server/text/terms/languages.ts";
import { stemsOf } from "#server/text/terms/stems.ts";

const saturation = 1.2;
const lengthWeight = 0.75;
/** Sentences by which the language is found. */
const languageSample = 20;
const segmenter = new Intl.Segmenter("und", { granularity: "word" });

/** Plain BM25 over sentences with a full stemmer: the baseline of answers by quotes. */
export class SentenceRanking {
  readonly #counts: readonly ReadonlyMap<string, number>[];
  readonly #lengths: readonly number[];
  readonly #having = new Map<string, number>();
  readonly #average: number;
  readonly #languages: readonly LatinLanguage[];

  constructor(private readonly sentences: readonly string[]) {
    const sample = sentences.slice(0, languageSample).join(" ");
    this.#languages = languagesOf(findWords(sample)).languages.slice(0, 1);
    const words = sentences.map((text) => this.#stems(text));
    this.#lengths = words.map(({ length }) => length);
    this.#average = this.#lengths.reduce((sum, each) => sum + each, 0) / (sentences.length || 1);
    this.#counts = words.map((each) => {
      const counts = new Map<string, number>();
      for (const word of each) counts.set(word, (counts.get(word) ?? 0) + 1);
      return counts;
    });
    for (const counts of this.#counts) {
      for (const word of counts.keys()) this.#having.set(word, (this.#having.get(word) ?? 0) + 1);
    }
  }

  best(question: string): { readonly text: string; readonly score: number } {
    const asked = new Set(this.#stems(question));
    let best = { text: "", score: 0 };
    for (const [at, counts] of this.#counts.entries()) {
      const ratio = (this.#lengths[at] ?? 0) / this.#average;
      const damping = saturation * (1 - lengthWeight + lengthWeight * ratio);
      let score = 0;
      for (const word of asked) {
        const count = counts.get(word) ?? 0;
        if (count === 0) continue;
        const having = this.#having.get(word) ?? 0;
        const rarity = Math.log(1 + (this.sentences.length - having + 0.5) / (having + 0.5));
        score += (rarity * count * (saturation + 1)) / (count + damping);
      }
      if (score > best.score) best = { text: this.sentences[at] ?? "", score };
    }
    return best;
  }

  #stems(text: string): string[] {
    return Array.from(segmenter.segment(text.toLowerCase()))
      .filter(({ isWordLike }) => isWordLike)
      .map(({ segment }) => stemsOf(segment, this.#languages)[0] ?? segment);
  }
}
