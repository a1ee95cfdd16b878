import { likeness, type Embedder, type Vector } from "./likeness.ts";
import { isSpelt } from "../terms/terms.ts";

/** BM25's saturation of repeated words, and its weight of a record's length. */
const saturation = 1.2;
const lengthWeight = 0.75;
/** Words below this likeness do not match. */
export const leastLikeness = 0.42;

/** A record's searched texts: occurrences of each term, and number of words. */
export interface CountedRecord {
  readonly counts: ReadonlyMap<string, number>;
  readonly length: number;
}

/** The weight of a term: higher if fewer records have it (BM25). */
export function rarity(having: number, records: number): number {
  const all = Math.max(having, records);
  return Math.log(1 + (all - having + 0.5) / (having + 0.5));
}

/** BM25 of each record; 0 without any of the terms. `ofLength` is the weight of its length. */
export function bm25(
  records: readonly CountedRecord[],
  terms: readonly { readonly term: string; readonly rarity: number }[],
  ofLength = lengthWeight,
): number[] {
  const words = records.reduce((sum, { length }) => sum + length, 0);
  const average = Math.max(1, words / Math.max(1, records.length));
  return records.map(({ counts, length }) => {
    const damping = saturation * (1 - ofLength + (ofLength * length) / average);
    return terms.reduce((score, { term, rarity: weight }) => {
      const count = counts.get(term) ?? 0;
      return count === 0 ? score : score + (weight * count * (saturation + 1)) / (count + damping);
    }, 0);
  });
}

/**
 * The likeness of records to a query: the average over the query's words of the most similar word,
 * so that long texts have no disadvantage. Numbers and references match only exactly.
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

  /** The likeness of a word to each query word, in order; 0 below `leastLikeness`. */
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

  /** The record's likeness between 0 and 1, and its words that are most similar to the query. */
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

/** A quick test on shared pairs of letters: most words then need no vector. */
function mayBeAlike(asked: ReadonlySet<string>, pairs: readonly string[]): boolean {
  const shared = pairs.reduce((count, pair) => (asked.has(pair) ? count + 1 : count), 0);
  return shared >= leastLikeness * Math.sqrt(asked.size * pairs.length) * 0.9;
}
