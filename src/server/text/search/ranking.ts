import { likeness, type Embedder, type Vector } from "./likeness.ts";
import { isSpelt } from "./search-terms.ts";

/** BM25's saturation of repeated words, and how much a record's length counts. */
const saturation = 1.2;
const lengthWeight = 0.75;
/** Words less alike than this have nothing to do with each other. */
export const leastLikeness = 0.42;
/** How soon a place in a list counts less (reciprocal rank fusion). */
const rankDamping = 60;

/** What a record's searched texts hold: how often each term stands there, and words in all. */
export interface CountedRecord {
  readonly counts: ReadonlyMap<string, number>;
  readonly length: number;
}

/** What a term tells: the fewer records have it, the more (BM25). */
export function rarity(having: number, records: number): number {
  const all = Math.max(having, records);
  return Math.log(1 + (all - having + 0.5) / (having + 0.5));
}

/** BM25 of each record; 0 for one with none of the terms. */
export function bm25(
  records: readonly CountedRecord[],
  terms: readonly { readonly term: string; readonly rarity: number }[],
): number[] {
  const words = records.reduce((sum, { length }) => sum + length, 0);
  const average = Math.max(1, words / Math.max(1, records.length));
  return records.map(({ counts, length }) => {
    const damping = saturation * (1 - lengthWeight + (lengthWeight * length) / average);
    return terms.reduce((score, { term, rarity: weight }) => {
      const count = counts.get(term) ?? 0;
      return count === 0 ? score : score + (weight * count * (saturation + 1)) / (count + damping);
    }, 0);
  });
}

/**
 * How like the words of records are to those of a query. Each word of the query counts by the word
 * of the record that is most like it, so that a long text is not held against a record. Numbers and
 * references are only like themselves.
 */
export class WordLikeness {
  readonly #embedder: Embedder;
  readonly #query: readonly AskedWord[];
  readonly #known = new Map<string, readonly number[]>();

  constructor(embedder: Embedder, terms: readonly string[]) {
    this.#embedder = embedder;
    this.#query = terms.map((term) => ({
      term,
      spelt: isSpelt(term)
        ? { vector: embedder.embed(term), pairs: new Set(pairsOf(term)) }
        : undefined,
    }));
  }

  /** Of a word to each of the query's, in their order; 0 for less than is worth a thought. */
  of(word: string): readonly number[] {
    let known = this.#known.get(word);
    if (known === undefined) {
      const pairs = isSpelt(word) ? pairsOf(word) : [];
      let vector: Vector | undefined;
      known = this.#query.map(({ term, spelt }) => {
        if (term === word) return 1;
        if (spelt === undefined || !mayBeAlike(spelt.pairs, pairs)) return 0;
        vector ??= this.#embedder.embed(word);
        const found = likeness(spelt.vector, vector);
        return found < leastLikeness ? 0 : found;
      });
      this.#known.set(word, known);
    }
    return known;
  }

  /** Between 0 and 1; and which of the record's words are the ones most like the query's. */
  ofRecord({ counts }: CountedRecord): { score: number; words: ReadonlySet<string> } {
    const best = this.#query.map(() => ({ found: 0, word: "" }));
    for (const word of counts.keys()) {
      const values = this.of(word);
      best.forEach((known, at) => {
        const found = values[at] ?? 0;
        if (found > known.found) best[at] = { found, word };
      });
    }
    const sum = best.reduce((all, { found }) => all + found, 0);
    const words = new Set(best.filter(({ found }) => found > 0).map(({ word }) => word));
    return { score: this.#query.length === 0 ? 0 : sum / this.#query.length, words };
  }
}

interface AskedWord {
  readonly term: string;
  /** Missing for numbers and references. */
  readonly spelt: { readonly vector: Vector; readonly pairs: ReadonlySet<string> } | undefined;
}

function pairsOf(word: string): string[] {
  const pairs = [`_${word.slice(0, 1)}`, `${word.slice(-1)}_`];
  for (let at = 1; at < word.length; at += 1) pairs.push(word.slice(at - 1, at + 1));
  return pairs;
}

/**
 * Whether two words have pairs enough in common to be alike at all. They have hardly more triples
 * than pairs in common, so that most words need no vector.
 */
function mayBeAlike(asked: ReadonlySet<string>, pairs: readonly string[]): boolean {
  const shared = pairs.reduce((count, pair) => (asked.has(pair) ? count + 1 : count), 0);
  return shared >= leastLikeness * Math.sqrt(asked.size * pairs.length) * 0.9;
}

/** Reciprocal rank fusion: for each item the sum over the lists of weight / (60 + place). */
export function fused<Item>(
  lists: readonly { readonly items: readonly Item[]; readonly weight: number }[],
): ReadonlyMap<Item, number> {
  const scores = new Map<Item, number>();
  for (const { items, weight } of lists) {
    items.forEach((item, at) => {
      scores.set(item, (scores.get(item) ?? 0) + weight / (rankDamping + at + 1));
    });
  }
  return scores;
}
